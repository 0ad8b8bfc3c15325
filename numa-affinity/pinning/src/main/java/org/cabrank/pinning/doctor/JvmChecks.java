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

    static Finding binding(CheckContext context) {
        String id = "jdk";
        String subject = "JDK";
        int feature = context.jvm().feature();
        return feature >= FFM_SINCE
                ? Finding.ok(id, subject, feature + ": the kernel is called through Panama")
                : Finding.warning(
                        id,
                        subject,
                        feature + ": the kernel is called through JNA",
                        "each system call costs several times as much on its way to the kernel",
                        "run on a JDK of 22 or later (CABRANK_JAVA_HOME for scripts/cabrank)");
    }

    static Finding nativeAccess(CheckContext context) {
        String id = "native-access";
        String subject = "native access";
        if (context.jvm().feature() < FFM_SINCE) {
            return Finding.ok(id, subject, "this JVM does not ask for it");
        }
        return context.jvm().nativeAccess()
                ? Finding.ok(id, subject, "allowed")
                : Finding.note(
                        id,
                        subject,
                        "not allowed by flag",
                        "the JVM warns on standard error, and a later one will refuse",
                        "--enable-native-access=ALL-UNNAMED, or org.cabrank.kernel.panama on a module path");
    }

    static Finding collector(CheckContext context) {
        String id = "collector";
        String subject = "garbage collector";
        String name = context.jvm().collector();
        return switch (name) {
            case "Z", "Shenandoah" -> Finding.ok(id, subject, name + ": collects while threads run");
            case "Epsilon" -> Finding.ok(id, subject, "Epsilon: never collects");
            case "G1" ->
                Finding.note(
                        id,
                        subject,
                        "G1",
                        "Cabrank allocates nothing per event, but what handlers allocate is collected in pauses of some"
                                + " milliseconds to tens of them",
                        "-XX:+UseZGC where they show in the slowest answers");
            case "Serial", "Parallel" ->
                Finding.warning(
                        id,
                        subject,
                        name + (name.equals("Serial") ? " (the JVM's choice on one CPU or little memory)" : ""),
                        "every collection stops all threads, for as long as the whole heap takes",
                        "-XX:+UseZGC, or -XX:+UseG1GC for a small heap");
            default -> Finding.note(id, subject, "not known", "", "look at 'java -XX:+PrintFlagsFinal -version'");
        };
    }

    static Finding preTouch(CheckContext context) {
        String id = "pretouch";
        String subject = "heap pages";
        return context.jvm().preTouch()
                ? Finding.ok(id, subject, "touched when the JVM starts")
                : Finding.note(
                        id,
                        subject,
                        "touched when they are first used",
                        "requests of the first minutes pay for page faults",
                        "-XX:+AlwaysPreTouch, with -Xms as large as -Xmx");
    }

    static Finding numa(CheckContext context) {
        String id = "jvm-numa";
        String subject = "heap and nodes";
        int nodes = context.topology().nodesWithCpus().size();
        if (nodes < 2) {
            return Finding.ok(id, subject, "there is one node with CPUs");
        }
        return context.jvm().numa()
                ? Finding.ok(id, subject, "threads allocate on their own node (UseNUMA)")
                : Finding.warning(
                        id,
                        subject,
                        "the JVM does not know of the " + nodes + " nodes",
                        "what a shard's handlers allocate may lie on another node",
                        "-XX:+UseNUMA (G1, Parallel; ZGC does it by itself)");
    }

    static Finding heap(CheckContext context) {
        String id = "heap";
        String subject = "heap size";
        OptionalLong smallest = context.topology().nodesWithCpus().stream()
                .mapToLong(MemoryNode::totalBytes)
                .filter(bytes -> bytes > 0)
                .min();
        long heap = context.jvm().heapMaxBytes();
        String size = String.format(Locale.ROOT, "up to %.1f GiB", heap / GIB);
        boolean several = context.topology().nodesWithCpus().size() > 1;
        return !several || smallest.isEmpty() || heap <= smallest.getAsLong()
                ? Finding.ok(id, subject, size)
                : Finding.note(
                        id,
                        subject,
                        String.format(Locale.ROOT, "%s, and a node has %.1f GiB", size, smallest.getAsLong() / GIB),
                        "part of it is far from whichever CPU uses it",
                        "-Xmx below a node's memory and a process for each node (numactl --cpunodebind=N --membind=N)");
    }
}
