package org.cabrank.bench.measure;

/**
 * What the kernel counts for one thread.
 *
 * @param cpuNs time on a CPU, user and system, from {@code schedstat}: exact to the nanosecond
 * @param switches times it left the CPU, by itself or not, from {@code status}
 */
record ThreadCounters(long cpuNs, long switches) {

    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

    static ThreadCounters parse(String schedstat, String status) {
        long cpuNs = Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        long switches = 0;
        for (String line : status.split("\n")) {
            if (line.startsWith(VOLUNTARY)) {
                switches += Long.parseLong(line.substring(VOLUNTARY.length()).trim());
            } else if (line.startsWith(INVOLUNTARY)) {
                switches += Long.parseLong(line.substring(INVOLUNTARY.length()).trim());
            }
        }
        return new ThreadCounters(cpuNs, switches);
    }
}
