# A systemd as process 1 of namespaces of its own, over an overlay of this machine's file system: nothing outside is changed, and
# nothing stays. Sourced by the scripts beside it, after needs.sh; needs bash, root, the script's name in "me", a JDK in JDK, a function
# "fail" that takes words and ends the script, and a function "furnish", which is called in the new root directory before systemd starts.

readonly SYSTEMD_PATIENCE_S=60

# may_boot_systemd: succeeds where this user may boot a systemd in namespaces.
may_boot_systemd() {
    [[ $EUID == 0 && -x /lib/systemd/systemd ]] && grep -qw overlay /proc/filesystems \
        && unshare --mount --pid --fork --uts --ipc --net --cgroup true 2>/dev/null
}

# need_systemd: ends the script unless the user is root, and installs what is missing.
need_systemd() {
    [[ $EUID == 0 ]] || fail "only root may make namespaces and mounts; run it as root"
    need_command systemctl systemd
    need_command curl curl
    need_command unshare util-linux
    need_command ip iproute2
}

# become_systemd: process 1 of the namespaces lays out the root file system and becomes systemd.
become_systemd() {
    set -e
    mount --make-rprivate /
    mount -t tmpfs tmpfs "$work"
    mkdir "$work"/{upper,work,root}
    mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" overlay "$work/root"
    cd "$work/root"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t tmpfs tmpfs run
    ip link set lo up
    rm -rf etc/systemd/system
    mkdir -p etc/systemd/system
    ln -sf "$JDK/bin/java" usr/bin/java
    printf '[Unit]\nDescription=Test\n' >etc/systemd/system/default.target
    : >etc/machine-id
    furnish
    exec chroot . /usr/bin/env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --unit=default.target --show-status=no
}

# boot_systemd: starts systemd, waits until it runs, and sets "work" to a directory for files of the script outside of the namespaces.
# Variables that "furnish" reads must be exported. All ends with the script.
work="" init=""
boot_systemd() {
    cd /
    work=$(mktemp -d)
    trap end_systemd EXIT
    export -f become_systemd furnish
    export work JDK
    unshare --mount --pid --fork --uts --ipc --net --cgroup bash -c become_systemd >"$work/console" 2>&1 </dev/null &
    launcher=$!
    within "systemd" find_init
    within "boot" is_running
}

end_systemd() {
    [[ -z $init ]] || kill -KILL "$init" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}

# within WHAT COMMAND...: waits until COMMAND succeeds.
within() {
    local what=$1 begun=$SECONDS
    shift
    until "$@"; do
        kill -0 "$launcher" 2>/dev/null || fail "systemd has ended while waiting for $what: $(tail -n 3 "$work/console")"
        ((SECONDS - begun < SYSTEMD_PATIENCE_S)) || fail "no $what within $SYSTEMD_PATIENCE_S s"
        sleep 0.1
    done
}

find_init() {
    init=$(<"/proc/$launcher/task/$launcher/children") 2>/dev/null && init=${init%% *} && [[ -n $init ]] \
        && [[ $(readlink "/proc/$init/exe") == */systemd ]]
}

is_running() {
    inside systemctl is-system-running 2>/dev/null | grep -qE '^(running|degraded)$'
}

# inside COMMAND...: runs COMMAND among systemd's processes.
inside() {
    nsenter --target "$init" --mount --pid --net --root="/proc/$init/root" -- env --chdir=/ "$@"
}

# property UNIT NAME: prints a property of a unit.
property() {
    inside systemctl show --value --property="$2" "$1"
}

# is_active UNIT
is_active() {
    [[ $(property "$1" ActiveState) == active ]]
}

passed() {
    echo "$me: $*"
}
