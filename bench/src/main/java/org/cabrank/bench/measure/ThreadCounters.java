package org.cabrank.bench.measure;

/**
 * What the kernel counts for one thread.
 *
 * @param cpuNs time on a CPU, user and system, from {@code schedstat}: exact to the nanosecond
 * @param switches times it left the CPU, by itself or not, from {@code status}
 * @param ofRing whether it is one of the threads that the kernel makes for a process's io_uring rings: iou-sqp takes
 *     submissions (IORING_SETUP_SQPOLL), iou-wrk runs what would block. They belong to the process like its own
 */
record ThreadCounters(long cpuNs, long switches, boolean ofRing) {

    /** Of a thread that was not there. */
    static final ThreadCounters NONE = new ThreadCounters(0, 0, false);

    private static final String NAME = "Name:";
    private static final String RING_THREAD = "iou-";

    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

    static ThreadCounters parse(String schedstat, String status) {
        long cpuNs = Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        long switches = 0;
        boolean ofRing = false;
        for (String line : status.split("\n")) {
            if (line.startsWith(NAME)) {
                ofRing = line.substring(NAME.length()).strip().startsWith(RING_THREAD);
            } else if (line.startsWith(VOLUNTARY)) {
                switches += Long.parseLong(line.substring(VOLUNTARY.length()).trim());
            } else if (line.startsWith(INVOLUNTARY)) {
                switches += Long.parseLong(line.substring(INVOLUNTARY.length()).trim());
            }
        }
        return new ThreadCounters(cpuNs, switches, ofRing);
    }
}
