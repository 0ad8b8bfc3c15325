# A guest under qemu-system: what is in it, how it starts, and what it tells. Sourced by test-guest, after foreign.sh; needs
# bash.

readonly BOOT_SECONDS_MAX=3600 # under emulation, which may get a tenth of a busy CPU; a kernel under KVM takes one or two
readonly KVM_SECONDS_MAX=60   # for its first word, before emulation is tried instead

# pack_machine: makes of MACHINE the archive that a kernel unpacks into memory, unless it has been made.
pack_machine() {
    local lock
    ARCHIVE=${MACHINE%/root}/machine.cpio
    exec {lock}>"${MACHINE%/root}/lock"
    flock "$lock"
    if [[ ! $ARCHIVE -nt $MACHINE ]]; then
        echo "$me: packing the JRE" >&2
        (cd "$MACHINE" && find . -mindepth 1 | cpio -o -H newc -R 0:0 --quiet) >"$ARCHIVE.next"
        mv "$ARCHIVE.next" "$ARCHIVE"
    fi
    exec {lock}>&-
}

# pack_tests ARCHITECTURE SUITE...: makes the initramfs for these suites: the machine's archive, and one of the tests behind
# it. The tests lie below /tests as they do in the project, with each jar once. The expressions of --tests and --modes lie in
# files, because words for the kernel end at a space.
pack_tests() {
    local tree=$root/target/guest-$1-$$ suite jar directory
    INITRAMFS=$tree.cpio
    shift
    rm -rf "$tree"
    mkdir -p "$tree"/{dev,etc,proc,run,sys,tmp,usr/bin,tests/jars}
    cp "$root/scripts/lib/guest-init" "$tree/init"
    cp "$root/scripts/lib/suites.sh" "$tree/suites.sh"
    mkdir -p "$tree/chosen"
    [[ -z $tests ]] || printf '%s\n' "$tests" >"$tree/chosen/tests"
    [[ -z $modes ]] || printf '%s\n' "$modes" >"$tree/chosen/modes"
    ln -s "$JRE/bin/java" "$tree/usr/bin/java"
    echo 'root:x:0:0:root:/tmp:/bin/sh' >"$tree/etc/passwd"
    echo '127.0.0.1 localhost' >"$tree/etc/hosts"
    for suite in "$@"; do
        suite_of "$suite"
        directory=$tree/tests/$MODULE
        [[ ! -d $directory ]] || continue
        mkdir -p "$directory/target/launcher"
        cp -al "$root/$MODULE/src" "$directory/src"
        cp -al "$root/$MODULE/target/"{classes,test-classes} "$directory/target"
        for jar in "$root/$MODULE"/target/launcher/*.jar; do
            [[ -e $tree/tests/jars/${jar##*/} ]] || cp -al "$jar" "$tree/tests/jars/"
            ln -s "/tests/jars/${jar##*/}" "$directory/target/launcher/"
        done
    done
    (cd "$tree" && find . -mindepth 1 | cpio -o -H newc -R 0:0 --quiet) | cat "$ARCHIVE" - >"$INITRAMFS"
    rm -rf "$tree"
}

# describe_guest ARCHITECTURE ACCELERATOR: sets QEMU to the command that starts it, without its kernel, and CONSOLE to the
# kernel's words for its serial line.
describe_guest() {
    local accelerator="$2"
    [[ $2 != tcg ]] || accelerator=tcg,thread=multi
    QEMU=("qemu-system-$1" -accel "$accelerator" -display none -monitor none -nodefaults -no-reboot -serial stdio)
    case $1 in
        x86_64) four_nodes "$2" ;;
        aarch64)
            QEMU+=(-machine virt,gic-version=3 -smp 2 -m 2G)
            if [[ $2 == kvm ]]; then QEMU+=(-cpu host); else QEMU+=(-cpu cortex-a76); fi
            CONSOLE='console=ttyAMA0'
            ;;
    esac
    # Whoever stops or starves the emulator has the guest's kernel find its CPUs stuck.
    [[ $2 != tcg ]] || CONSOLE+=' nowatchdog rcupdate.rcu_cpu_stall_suppress=1'
}

# Two sockets of two dies of two cores; a node and an L3 cache for each die, and distances as of such machines.
four_nodes() {
    local node other distance
    QEMU+=(-machine q35 -smp 8,sockets=2,dies=2,cores=2,threads=1 -m 3G)
    for node in 0 1 2 3; do
        QEMU+=(-object "memory-backend-ram,id=memory$node,size=768M"
            -numa "node,nodeid=$node,cpus=$((2 * node))-$((2 * node + 1)),memdev=memory$node")
    done
    for node in 0 1 2 3; do
        for other in 0 1 2 3; do
            distance=32
            ((node / 2 != other / 2)) || distance=12
            ((node >= other)) || QEMU+=(-numa "dist,src=$node,dst=$other,val=$distance")
        done
    done
    CONSOLE='console=ttyS0'
    # The speculation flags of some hosts are refused by their own KVM.
    if [[ $1 == kvm ]]; then
        QEMU+=(-cpu host,arch-capabilities=off)
    else
        # An interrupt right after cmpxchg16b was seen to save false flags (QEMU 7.2), of which the guest's kernel died.
        QEMU+=(-cpu max,-cx16)
        CONSOLE+=' tsc=reliable'
    fi
}

guest_pid=
stop_guest() {
    [[ -z $guest_pid ]] || kill "$guest_pid" 2>/dev/null || true
    guest_pid=
}

# run_guest SECONDS WORD...: starts the guest with these words for its init, and prints what it tells until it is over, or
# the seconds are; its console is kept in CONSOLE_LOG, and each suite's part in a log of its own. Sets TOLD to the suites
# that were told of, and FAILED to those that failed. Fails with 3 when the guest has not said its first word in time.
run_guest() {
    local deadline=$((SECONDS + BOOT_SECONDS_MAX + $1)) line log=/dev/null words serial first=$FIRST_WORD_SECONDS
    local up=$((SECONDS + first))
    shift
    words="$CONSOLE quiet panic=-1 $*"
    TOLD=() FAILED=0
    exec {serial}< <(exec "${QEMU[@]}" -kernel "$KERNEL" -initrd "$INITRAMFS" -append "$words" 2>&1 </dev/null)
    guest_pid=$!
    : >"$CONSOLE_LOG"
    while read -r -t $((up - SECONDS > 0 ? up - SECONDS : 1)) line <&"$serial"; do
        line=${line%$'\r'}
        printf '%s\n' "$line" >>"$CONSOLE_LOG"
        case $line in
            @@up*)
                echo "${line#@@up }, $ACCELERATOR"
                up=$deadline
                ;;
            @@begin*) log=$logs/${line#@@begin }.log && : >"$log" ;;
            @@end*) TOLD+=("${line#@@end }") ;;
            @@tell*)
                echo "${line#@@tell }"
                if [[ $line == *' FAILED '* ]]; then
                    FAILED=$((FAILED + 1))
                    echo "    log: $log"
                fi
                ;;
            @@over) break ;;
            *'KVM internal error'*) break ;;
            *) printf '%s\n' "$line" >>"$log" ;;
        esac
        ((SECONDS < up)) || break
    done
    stop_guest
    exec {serial}<&-
    ((up == deadline)) || return 3
}
