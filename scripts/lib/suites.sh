# The test suites that run where there is no Maven: under an emulator, and in a guest whose shell is busybox. Sourced by
# test-aarch64, by test-guest and by the guest's init; needs a POSIX shell.

few_shards='.*(3 deferred.*|owner) 2 shards (EXCLUSIVE|REUSEPORT(_CPU)?|DISPATCH(_HASH)?)'

# suite_of NAME: sets MODULE to the directory of the module whose tests these are, CLASSES to the pattern of their class
# names, QUICK to that of the few that --quick takes, MODES to the pattern of the reactors among those that it holds to their
# contracts, and ABOUT to words; fails where there is no such suite.
suite_of() {
    MODULE='' CLASSES='.*Test' QUICK='' MODES='.*' ABOUT=''
    case $1 in
        kernel) MODULE=native-bindings/kernel ABOUT='constants, the choice of a kernel binding' ;;
        panama) MODULE=native-bindings/panama ABOUT='system calls through the FFM API' ;;
        jna) MODULE=native-bindings/jna ABOUT='system calls through JNA' ;;
        lf-pool) MODULE=lf-pool/pattern QUICK='.*\.(Leadership|Dispatch|DeferredPromotion|Race|Join)[A-Za-z]*Test' \
            ABOUT='the pattern, its races and stress' ;;
        numa-affinity) MODULE=numa-affinity/machine QUICK='.*\.(Affinity|LimitsHere|LiveMask|LiveNodeMemory)Test' \
            ABOUT='topology, limits, placements, pinning, memory of nodes' ;;
        epoll) MODULE=reactor-epoll QUICK='.*\.Epoll(Stream|HandleSet)Test' \
            MODES='panama (1 claim|3 deferred.* oneshot)' \
            ABOUT='the epoll reactor; the contracts of streams and of descriptors' ;;
        iouring) MODULE=reactor-iouring QUICK='.*\.(IoUringStream|RingHandleSet|RingOpening|EndOfStream|LostEnd)Test' \
            MODES='panama owner' \
            ABOUT='the io_uring reactor; the same contracts' ;;
        shards-epoll) MODULE=reactor-epoll CLASSES='.*\.(EpollAcceptModes|EpollMoving|ReceivingCpu)Test' \
            MODES="$few_shards" \
            ABOUT='sharded servers over epoll: ways to accept, moving connections' ;;
        shards-iouring) MODULE=reactor-iouring CLASSES='.*\.Ring(AcceptModes|Moving)Test' \
            MODES="$few_shards" \
            ABOUT='sharded servers over io_uring' ;;
        serve) MODULE=bench/command CLASSES='.*\.end\..*Test' QUICK='.*\.(PlacementProcess|IoUringFallback)Test' ABOUT='the command, in processes of its own' ;;
        fallback) MODULE=bench/command CLASSES='.*\.RefusingKernelTest' ABOUT='a kernel that refuses io_uring' ;;
        *) return 1 ;;
    esac
    [ -n "$QUICK" ] || QUICK=$CLASSES
}

# run_suite NAME TREE CLASSES SECONDS JAVA FLAG...: runs these classes of the suite with the modules below TREE, and prints
# every test as it begins and ends. After SECONDS the JVM is asked for a dump of its threads, and then it is ended.
# The working directory is the module's, as under Maven.
#
# JUnit's own time limits are off, and tests wait up to ten minutes for what must come: their limits are right for a machine,
# and not for an emulator, which is slow, and may be stopped for a while.
run_suite() {
    suite_of "$1" || return 2
    suite_target=$2/$MODULE/target suite_classes=$3 suite_seconds=$4
    shift 4
    (
        cd "$suite_target/.." || exit 2
        timeout -s QUIT -k 30 "$suite_seconds" "$@" --enable-native-access=ALL-UNNAMED \
            -Dcabrank.stress.seconds=2 -Dcabrank.patience.seconds=600 \
            -cp "$suite_target/test-classes:$suite_target/classes:$suite_target/launcher/*" \
            org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors \
            --details=testfeed --config=junit.jupiter.execution.timeout.mode=disabled \
            --scan-classpath "$suite_target/test-classes" --include-classname "$suite_classes"
        status=$?
        echo "(exit status $status)"
        exit "$status"
    ) 2>&1
}

# verdict NAME LOG SECONDS: prints one line on a suite that was run, and one for each test that failed; fails unless all
# that was found has passed or has been left out by itself.
verdict() {
    awk -v name="$1" -v seconds="$3" '
        { sub(/\r$/, "") }
        / :: [A-Z]+$/ { test = $0; sub(/ :: [A-Z]+$/, "", test); sub(/^JUnit Jupiter > /, "", test) }
        / :: STARTED$/ { last = test }
        / :: SUCCESSFUL$/ { passed++ }
        / :: (ABORTED|SKIPPED)$/ { skipped++ }
        / :: FAILED$/ { failures[++failed] = test }
        /^\[ +[0-9]+ tests found/ { found = $2 + 0 }
        /^\[ +[0-9]+ tests failed/ { ended = 1 }
        /^\(exit status [0-9]+\)/ { status = substr($3, 1, length($3) - 1) + 0; left = 1 }
        END {
            good = ended && found > 0 && failed == 0 && status == 0
            printf "%-14s %-6s %5d tests, %d failures, %d skipped, %d s\n", name, good ? "passed" : "FAILED",
                passed + failed + skipped, failed, skipped, seconds
            for (i = 1; i <= failed; i++) printf "    failed: %s\n", failures[i]
            if (!ended) {
                if (status == 124 || status == 137) why = "the time was up"
                else why = left ? "the JVM ended with status " status : "it did not come to an end"
                printf "    %s; the last test begun: %s\n", why, last == "" ? "none" : last
            } else if (found == 0) print "    no test was found"
            exit !good
        }' "$2"
}
