package org.cabrank.pinning.doctor;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.MemoryNode;

final class ServiceChecks {
    private static final String WITHOUT_RING =
            "epoll serves instead, with two system calls or more for each request; --backend iouring refuses to start";
    private static final String RING_PREFIX = "io_uring: ";

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    private record Feature(int major, int minor, String words) {
        boolean isIn(int kernelMajor, int kernelMinor) {
            return kernelMajor > major || kernelMajor == major && kernelMinor >= minor;
        }

        @Override
        public String toString() {
            return words + " (" + major + "." + minor + ")";
        }
    }

    /** The fast mode of rings. If the kernel does not have it, the finding is a warning. */
    private static final Feature OWNER_RINGS = new Feature(6, 1, "owner rings (DEFER_TASKRUN)");

    private static final List<Feature> FEATURES = List.of(
            new Feature(4, 5, "listeners that wake one shard (EPOLLEXCLUSIVE) and steering by CPU"),
            new Feature(5, 11, "epoll waits in nanoseconds (epoll_pwait2)"),
            new Feature(6, 0, "multishot receive on rings, without which epoll serves"),
            OWNER_RINGS,
            new Feature(6, 6, "submission without an index array"),
            new Feature(6, 9, "NAPI busy polling on epoll"),
            new Feature(6, 12, "incremental receive buffers, and waiting for a batch"),
            new Feature(6, 13, "waking a ring without a ring"),
            new Feature(6, 15, "idle rings that do not count as iowait"),
            new Feature(6, 17, "bundles of receive buffers, which left gaps on some kernels before"));

    private static final int FFM_SINCE = 22;

    private static final double GIB = 1L << 30;

    private ServiceChecks() {}

    static Finding plan(Check check, CheckContext context) {
        PlacementPlan plan = context.plan();
        if (plan == null) {
            return check.ok("none is given: nothing is pinned");
        }
        if (plan.warnings().isEmpty()) {
            return check.ok(plan.summary().replaceFirst("^placement ", ""));
        }
        String warnings = String.join("; ", plan.warnings());
        String show = "'cabrank topology --placement " + plan.placement() + "' shows ";
        return plan.compromised()
                ? check.problem(
                        warnings,
                        "shards are not where they were meant to be; with a strict placement a server refuses to start",
                        show + "what comes of it")
                : check.warning(
                        warnings,
                        "every shard is placed as asked for, and may be slower than expected",
                        show + "each shard with the reason");
    }

    static Finding ring(Check check, CheckContext context) {
        String words = context.ring().words();
        return switch (context.ring().outcome()) {
            case MADE -> check.ok("a ring can be made: " + words);
            case REFUSED ->
                refused(check, words.startsWith(RING_PREFIX) ? words.substring(RING_PREFIX.length()) : words);
            case NOT_TRIED ->
                bySysctl(
                        check,
                        context.procfs().text("sys/kernel/io_uring_disabled").orElse(""));
        };
    }

    /** Splits an error message of the reactor. The cause is before the semicolon, and the remedy behind it. */
    static Finding refused(Check check, String words) {
        int semicolon = words.indexOf("; ");
        return semicolon < 0
                ? check.warning(words, WITHOUT_RING, "take epoll (--backend epoll), which needs nothing")
                : check.warning(words.substring(0, semicolon), WITHOUT_RING, words.substring(semicolon + 2));
    }

    /** Reports the sysctl {@code kernel.io_uring_disabled}. Without a trial, only this sysctl shows if rings are allowed. */
    private static Finding bySysctl(Check check, String disabled) {
        return switch (disabled) {
            case "0" -> check.ok("the sysctl kernel.io_uring_disabled allows it; not tried");
            case "1", "2" ->
                check.warning(
                        "the sysctl kernel.io_uring_disabled=" + disabled + " forbids it to "
                                + (disabled.equals("1") ? "unprivileged processes" : "every process"),
                        WITHOUT_RING,
                        "sysctl -w kernel.io_uring_disabled=0");
            default ->
                check.note("not tried, as this machine is not here", "", "run 'cabrank doctor' on the machine itself");
        };
    }

    /** Reports features that the kernel's version does not have. A distribution may have backported some of them. */
    static Finding kernel(Check check, CheckContext context) {
        String release = context.topology().machine().kernelRelease();
        Matcher version = VERSION.matcher(release);
        if (!version.matches()) {
            return check.note("its version is not known", "", "look at 'uname -r'");
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        String missing = FEATURES.stream()
                .filter(feature -> !feature.isIn(major, minor))
                .map(Feature::toString)
                .collect(Collectors.joining("; "));
        if (missing.isEmpty()) {
            return check.ok("Linux " + release + " has everything that Cabrank makes use of");
        }
        String finding = "Linux " + release + " has not, by its number: " + missing;
        String remedy = "use Linux 6.13 or later";
        return OWNER_RINGS.isIn(major, minor)
                ? check.note(finding, "some of io_uring's savings are not to be had; nothing fails", remedy)
                : check.warning(
                        finding,
                        "io_uring does not serve, or not in its fast mode",
                        remedy + ", at least 6.1; some distributions' older ones have more than their number says");
    }

    static Finding binding(Check check, CheckContext context) {
        int feature = context.jvm().feature();
        return feature >= FFM_SINCE
                ? check.ok(feature + ": the kernel is called through Panama")
                : check.warning(
                        feature + ": the kernel is called through JNA",
                        "each system call costs several times as much on its way to the kernel",
                        "run on a JDK of 22 or later (CABRANK_JAVA_HOME for scripts/cabrank)");
    }

    static Finding nativeAccess(Check check, CheckContext context) {
        if (context.jvm().feature() < FFM_SINCE) {
            return check.ok("this JVM does not ask for it");
        }
        return context.jvm().nativeAccess()
                ? check.ok("allowed")
                : check.note(
                        "not allowed by flag",
                        "the JVM warns on standard error, and a later one will refuse",
                        "--enable-native-access=ALL-UNNAMED, or org.cabrank.kernel.panama on a module path");
    }

    static Finding collector(Check check, CheckContext context) {
        String name = context.jvm().collector();
        return switch (name) {
            case "Z", "Shenandoah" -> check.ok(name + ": collects while threads run");
            case "Epsilon" -> check.ok("Epsilon: never collects");
            case "G1" ->
                check.note(
                        "G1",
                        "Cabrank allocates nothing per event, but what handlers allocate is collected in pauses of some"
                                + " milliseconds to tens of them",
                        "-XX:+UseZGC where they show in the slowest answers");
            case "Serial", "Parallel" ->
                check.warning(
                        name + (name.equals("Serial") ? " (the JVM's choice on one CPU or little memory)" : ""),
                        "every collection stops all threads, for as long as the whole heap takes",
                        "-XX:+UseZGC, or -XX:+UseG1GC for a small heap");
            default -> check.note("not known", "", "look at 'java -XX:+PrintFlagsFinal -version'");
        };
    }

    static Finding preTouch(Check check, CheckContext context) {
        return context.jvm().preTouch()
                ? check.ok("touched when the JVM starts")
                : check.note(
                        "touched when they are first used",
                        "requests of the first minutes pay for page faults",
                        "-XX:+AlwaysPreTouch, with -Xms as large as -Xmx");
    }

    static Finding numa(Check check, CheckContext context) {
        int nodes = context.topology().nodesWithCpus().size();
        if (nodes < 2) {
            return check.ok("there is one node with CPUs");
        }
        return context.jvm().numa()
                ? check.ok("threads allocate on their own node (UseNUMA)")
                : check.warning(
                        "the JVM does not know of the " + nodes + " nodes",
                        "what a shard's handlers allocate may lie on another node",
                        "-XX:+UseNUMA (G1, Parallel; ZGC does it by itself)");
    }

    static Finding heap(Check check, CheckContext context) {
        List<MemoryNode> nodes = context.topology().nodesWithCpus();
        OptionalLong smallest = nodes.stream()
                .mapToLong(MemoryNode::totalBytes)
                .filter(bytes -> bytes > 0)
                .min();
        long heap = context.jvm().heapMaxBytes();
        String size = String.format(Locale.ROOT, "up to %.1f GiB", heap / GIB);
        return nodes.size() < 2 || heap <= smallest.orElse(Long.MAX_VALUE)
                ? check.ok(size)
                : check.note(
                        String.format(Locale.ROOT, "%s, and a node has %.1f GiB", size, smallest.getAsLong() / GIB),
                        "part of it is far from whichever CPU uses it",
                        "-Xmx below a node's memory and a process for each node (numactl --cpunodebind=N --membind=N)");
    }
}
