package org.cabrank.pinning.doctor;

import java.util.Locale;
import java.util.OptionalLong;
import org.cabrank.affinity.topology.MemoryNode;

/** Checks of the JVM and its flags. */
final class JvmChecks {
    /** First JDK release with the final Foreign Function and Memory API. */
    private static final int FFM_SINCE = 22;

    private static final double GIB = 1L << 30;

    private JvmChecks() {}

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
        OptionalLong smallest = context.topology().nodesWithCpus().stream()
                .mapToLong(MemoryNode::totalBytes)
                .filter(bytes -> bytes > 0)
                .min();
        long heap = context.jvm().heapMaxBytes();
        String size = String.format(Locale.ROOT, "up to %.1f GiB", heap / GIB);
        boolean several = context.topology().nodesWithCpus().size() > 1;
        return !several || smallest.isEmpty() || heap <= smallest.getAsLong()
                ? check.ok(size)
                : check.note(
                        String.format(Locale.ROOT, "%s, and a node has %.1f GiB", size, smallest.getAsLong() / GIB),
                        "part of it is far from whichever CPU uses it",
                        "-Xmx below a node's memory and a process for each node (numactl --cpunodebind=N --membind=N)");
    }
}
