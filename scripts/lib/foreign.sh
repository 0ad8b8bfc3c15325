# The project's tests on machines that are not this one: a Debian with a JRE, and the tests built for it. Sourced by
# test-aarch64 and test-guest, after jdks.sh and needs.sh; needs bash, "root", "me" and a function "fail".
source "$root/scripts/lib/debian.sh"
source "$root/scripts/lib/suites.sh"

# The first release whose kernel and JRE are new enough: 6.12 and 25.
readonly DEBIAN_SUITE=trixie
readonly JRE_PACKAGE=openjdk-25-jre-headless
readonly JRE_LIBRARIES=(libc6 libgcc-s1 libstdc++6 zlib1g)
readonly GUEST_TOOLS=(busybox-static coreutils libacl1 libattr1 libselinux1 libpcre2-8-0 libgmp10 libssl3t64 util-linux libcap-ng0 libsmartcols1)

cache=${CABRANK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cabrank}
logs=$root/target/$(basename "$me")-logs

# debian_name ARCHITECTURE: sets DEBIAN to Debian's name of it, and TRIPLET to the C library's.
debian_name() {
    case $1 in
        x86_64) DEBIAN=amd64 TRIPLET=x86_64-linux-gnu ;;
        aarch64) DEBIAN=arm64 TRIPLET=aarch64-linux-gnu ;;
        *) return 1 ;;
    esac
}

# machine ARCHITECTURE: makes a file system of the JRE and what a guest needs besides, unless it is in the cache, and sets
# MACHINE to it and JRE to the JRE's path in it. A kernel lies beside it.
machine() {
    local directory lock work kernel
    debian_name "$1"
    directory=$cache/$DEBIAN_SUITE-$DEBIAN
    MACHINE=$directory/root JRE=/usr/lib/jvm/java-25-openjdk-$DEBIAN KERNEL=$directory/vmlinuz
    mkdir -p "$directory"
    exec {lock}>"$directory/lock"
    flock "$lock"
    if [[ ! -e $directory/complete ]]; then
        echo "$me: fetching the JRE and the kernel of Debian $DEBIAN_SUITE for $DEBIAN into $directory" >&2
        need_command dpkg-deb dpkg
        rm -rf "$directory/root" "$directory/unpacking" "$directory"/emulated
        work=$directory/unpacking
        mkdir -p "$work/apt" "$work/root"
        debian_suite "$work/apt" "$DEBIAN_SUITE" "$DEBIAN"
        kernel=$(debian_newest_of "linux-image-cloud-$DEBIAN" linux-image-)
        [[ $kernel == linux-image-* ]] || fail "$DEBIAN_SUITE names no kernel for $DEBIAN"
        debian_download "$work/packages" "$JRE_PACKAGE" "${JRE_LIBRARIES[@]}" "${GUEST_TOOLS[@]}" "$kernel" ||
            fail "could not download the packages"
        unpack "$work"
        cp "$work"/root/boot/vmlinuz-* "$KERNEL"
        rm -rf "$work"/root/{boot,usr/share,usr/lib/modules,usr/lib/debug,usr/lib/linux-image-*}
        trim "$work/root$JRE"
        # Debian merged these; the package that links them is not among ours.
        ln -s usr/bin usr/sbin usr/lib "$work/root"
        [[ ! -d $work/root/usr/lib64 ]] || ln -s usr/lib64 "$work/root"
        mv "$work/root" "$MACHINE"
        (cd "$work/packages" && printf '%s\n' *.deb) >"$directory/complete"
        rm -rf "$work"
    fi
    exec {lock}>&-
}

readonly KERNELS='6.1, 6.12, newest, bookworm, bookworm-backports, trixie, trixie-backports, forky or sid'

# kernel_suite NAME: prints the Debian suite whose kernel has this name, one of KERNELS: a version or the suite's own name.
kernel_suite() {
    case $1 in
        6.1) echo bookworm ;;
        6.12) echo trixie ;;
        newest) echo sid ;;
        bookworm | bookworm-backports | trixie | trixie-backports | forky | sid) echo "$1" ;;
        *) return 1 ;;
    esac
}

# other_kernel SUITE: sets KERNEL to the newest kernel of this Debian suite, which is fetched unless it is in the cache. After
# machine.
other_kernel() {
    local directory=$cache/kernel-$1-$DEBIAN lock work package binary image
    mkdir -p "$directory"
    exec {lock}>"$directory/lock"
    flock "$lock"
    if [[ ! -e $directory/complete ]]; then
        echo "$me: fetching the kernel of Debian $1 for $DEBIAN into $directory" >&2
        work=$directory/unpacking
        rm -rf "$work"
        mkdir -p "$work/apt" "$work/root"
        debian_suite "$work/apt" "$1" "$DEBIAN"
        package=$(debian_newest_of "linux-image-cloud-$DEBIAN" linux-image-)
        [[ $package == linux-image-* ]] || fail "Debian $1 names no kernel for $DEBIAN"
        binary=$(debian_newest_of "$package" linux-binary-) # since 7.2 the image is in a package of its own
        debian_download "$work/packages" "${binary:-$package}" || fail "could not download ${binary:-$package}"
        unpack "$work"
        image=$(find "$work/root" -type f -name 'vmlinuz*' | head -n 1)
        [[ -n $image ]] || fail "${binary:-$package} has no kernel image"
        cp "$image" "$directory/vmlinuz"
        echo "$package" >"$directory/complete"
        rm -rf "$work"
    fi
    exec {lock}>&-
    KERNEL=$directory/vmlinuz
}

# unpack DIRECTORY: the packages in it, into its root. Links that begin at the root are made to stay in the tree.
unpack() {
    local package link
    for package in "$1"/packages/*.deb; do
        dpkg-deb -x "$package" "$1/root" || fail "$package is not a Debian package"
    done
    while IFS= read -r -d '' link; do
        ln -sfnr "$1/root$(readlink "$link")" "$link"
    done < <(find "$1/root" -type l -lname '/*' -print0)
}

# trim JRE: takes from it what no test needs: a screen, papers, and archives of classes for settings that are not used.
trim() {
    rm -rf "$1"/{docs,legal,man} "$1"/lib/server/classes_*.jsa \
        "$1"/lib/lib{awt,awt_headless,fontmanager,javajpeg,lcms,mlib_image,jsound}.so
}

# build_tests: compiles the modules and their tests, and lays the tests' class paths beside them.
build_tests() {
    local stamp=$root/target/launcher.stamp log=$logs/build.log lock sources
    mkdir -p "$logs" "$root/target"
    exec {lock}<"$root/pom.xml"
    flock "$lock"
    sources=("$root"/pom.xml "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src "$root"/*/*/src)
    if [[ ! -f $stamp || -n $(find "${sources[@]}" -newer "$stamp" -print -quit) ]]; then
        newest_jdk $FFM_FEATURE 999 ||
            fail "a JDK of $FFM_FEATURE or later is needed to compile the tests, and none was found"
        need_command mvn maven
        echo "$me: building with JDK $JDK_FEATURE ..." >&2
        rm -rf "$stamp" "$root"/*/target/launcher "$root"/*/*/target/launcher
        : >"$stamp.next"
        if ! (cd "$root" && export "JAVA${JDK_FEATURE}_HOME=$JDK" JAVA_HOME="$JDK" &&
            mvn -B -ntp -DskipTests -Plauncher package -pl bench/command -am) >"$log" 2>&1 </dev/null; then
            grep -E '^\[ERROR\]' "$log" >&2 || cat "$log" >&2
            fail "the build failed; all of it is in $log"
        fi
        mv "$stamp.next" "$stamp"
    fi
    exec {lock}<&-
}

# choose_suites NAME...: adds them, which may have commas between them, to the array "suites"; fails on an unknown one.
choose_suites() {
    local name names
    IFS=, read -ra names <<<"$1"
    for name in "${names[@]}"; do
        suite_of "$name" || return 1
        suites+=("$name")
    done
    ((${#names[@]} > 0))
}

# describe_suites NAME...: prints a line on each, for --help.
describe_suites() {
    local name
    for name in "$@"; do
        suite_of "$name"
        printf '  %-14s %s: %s\n' "$name" "$MODULE" "$ABOUT"
    done
}
