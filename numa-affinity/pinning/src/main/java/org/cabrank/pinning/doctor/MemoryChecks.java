package org.cabrank.pinning.doctor;

/** Checks of kernel memory management: huge pages, compaction and NUMA balancing. */
final class MemoryChecks {
    private static final String HUGE_PAGES = "kernel/mm/transparent_hugepage/enabled";

    private static final String DEFRAG = "kernel/mm/transparent_hugepage/defrag";

    private MemoryChecks() {}

    static Finding hugePages(CheckContext context) {
        String id = "huge-pages";
        String subject = "transparent huge pages";
        return switch (context.files().chosen(HUGE_PAGES).orElse("")) {
            case "always" ->
                Finding.warning(
                        id,
                        subject,
                        "always",
                        "any page fault may wait until memory has been compacted for a huge page, and the kernel moves"
                                + " pages of running processes to make some",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages -XX:+AlwaysPreTouch"
                                + " for a large heap");
            case "madvise" ->
                Finding.ok(
                        id,
                        subject,
                        "madvise: for those who ask"
                                + (context.jvm().hugePages() ? ", as this JVM does" : ", which this JVM does not"));
            case "never" ->
                Finding.note(
                        id,
                        subject,
                        "never",
                        "a large heap costs more misses in the page tables' cache",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages");
            default -> Finding.unknown(id, subject, "this kernel has none, or does not tell", Finding.LOOK_ON_THE_HOST);
        };
    }

    static Finding compaction(CheckContext context) {
        String id = "huge-pages-defrag";
        String subject = "compaction for huge pages";
        String defrag = context.files().chosen(DEFRAG).orElse("");
        boolean used = !context.files().chosen(HUGE_PAGES).orElse("never").equals("never");
        if (!used) {
            return Finding.ok(id, subject, "there are no huge pages to make");
        }
        if (defrag.isEmpty()) {
            return Finding.unknown(id, subject, "this kernel does not tell", Finding.LOOK_ON_THE_HOST);
        }
        return defrag.equals("always")
                ? Finding.warning(
                        id,
                        subject,
                        "always",
                        "a page fault of any process waits until the kernel has moved pages to make a huge one:"
                                + " milliseconds",
                        "echo defer+madvise > /sys/" + DEFRAG)
                : Finding.ok(id, subject, defrag);
    }

    static Finding balancing(CheckContext context) {
        String id = "numa-balancing";
        String subject = "NUMA balancing";
        String value = context.files().proc("sys/kernel/numa_balancing").orElse("");
        if (value.isEmpty() && context.topology().nodesWithCpus().size() > 1) {
            return Finding.unknown(id, subject, "this kernel has none, or does not tell", Finding.LOOK_ON_THE_HOST);
        }
        if (value.isEmpty()) {
            return Finding.ok(id, subject, "there is one node with CPUs");
        }
        if (value.equals("0")) {
            return Finding.ok(id, subject, "off");
        }
        return context.topology().nodesWithCpus().size() < 2
                ? Finding.ok(id, subject, "on, but there is one node with CPUs")
                : Finding.warning(
                        id,
                        subject,
                        "on (kernel.numa_balancing=" + value + ")",
                        "the kernel takes pages away from threads to see who uses them: page faults, and moved pages, in"
                                + " the middle of requests; pinned shards have their memory at hand without it",
                        "sysctl -w kernel.numa_balancing=0");
    }
}
