package org.cabrank.pinning.doctor;

import java.util.Optional;

/** Checks of kernel memory management: huge pages, compaction and NUMA balancing. */
final class MemoryChecks {
    private static final String HUGE_PAGES = "kernel/mm/transparent_hugepage/enabled";

    private static final String DEFRAG = "kernel/mm/transparent_hugepage/defrag";

    private MemoryChecks() {}

    static Finding hugePages(Check check, CheckContext context) {
        return switch (chosen(context, HUGE_PAGES).orElse("")) {
            case "always" ->
                check.warning(
                        "always",
                        "any page fault may wait until memory has been compacted for a huge page, and the kernel moves"
                                + " pages of running processes to make some",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages -XX:+AlwaysPreTouch"
                                + " for a large heap");
            case "madvise" ->
                check.ok("madvise: for those who ask"
                        + (context.jvm().hugePages() ? ", as this JVM does" : ", which this JVM does not"));
            case "never" ->
                check.note(
                        "never",
                        "a large heap costs more misses in the page tables' cache",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages");
            default -> check.unknown("this kernel has none, or does not tell", Check.LOOK_ON_THE_HOST);
        };
    }

    static Finding compaction(Check check, CheckContext context) {
        String defrag = chosen(context, DEFRAG).orElse("");
        boolean used = !chosen(context, HUGE_PAGES).orElse("never").equals("never");
        if (!used) {
            return check.ok("there are no huge pages to make");
        }
        if (defrag.isEmpty()) {
            return check.unknown("this kernel does not tell", Check.LOOK_ON_THE_HOST);
        }
        return defrag.equals("always")
                ? check.warning(
                        "always",
                        "a page fault of any process waits until the kernel has moved pages to make a huge one:"
                                + " milliseconds",
                        "echo defer+madvise > /sys/" + DEFRAG)
                : check.ok(defrag);
    }

    static Finding balancing(Check check, CheckContext context) {
        String value = context.procfs().text("sys/kernel/numa_balancing").orElse("");
        if (value.isEmpty() && context.topology().nodesWithCpus().size() > 1) {
            return check.unknown("this kernel has none, or does not tell", Check.LOOK_ON_THE_HOST);
        }
        if (value.isEmpty()) {
            return check.ok("there is one node with CPUs");
        }
        if (value.equals("0")) {
            return check.ok("off");
        }
        return context.topology().nodesWithCpus().size() < 2
                ? check.ok("on, but there is one node with CPUs")
                : check.warning(
                        "on (kernel.numa_balancing=" + value + ")",
                        "the kernel takes pages away from threads to see who uses them: page faults, and moved pages, in"
                                + " the middle of requests; pinned shards have their memory at hand without it",
                        "sysctl -w kernel.numa_balancing=0");
    }

    /** Returns the bracketed choice of a file such as {@code always [madvise] never}. */
    private static Optional<String> chosen(CheckContext context, String path) {
        return context.sysfs().text(path).map(words -> words.replaceFirst("^.*\\[(.*)].*$", "$1"));
    }
}
