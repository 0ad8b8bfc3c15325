package org.cabrank.bench.measure;

import java.util.Arrays;
import java.util.List;

/**
 * The kernel's counters of one thread.
 *
 * @param cpuNs exact CPU time in user and kernel mode, from {@code schedstat}
 * @param migrations number of times that the thread resumed on another CPU, from {@code sched}. {@link ProcessUsage#UNKNOWN} if there is no
 *     such file (Linux before 6.15 without CONFIG_SCHED_DEBUG).
 */
record ThreadUsage(long cpuNs, long switches, Kind kind, boolean runs, long migrations) {

    static final ThreadUsage NONE = new ThreadUsage(0, 0, Kind.OWN, false, 0);

    private static final String MIGRATIONS = "nr_migrations";
    private static final String NAME = "Name:";
    private static final String RUNS = "State:\tR";

    enum Kind {
        /** Threads of the program, and of a JVM except its compiler threads. */
        OWN(),
        /** Kernel threads for io_uring rings. They are iou-sqp (IORING_SETUP_SQPOLL), and iou-wrk, which executes blocking requests. */
        RING("iou-"),
        /** Compiler threads of a JVM. The kernel keeps only 15 characters of a thread's name. */
        COMPILER("C1 Compiler", "C2 Compiler", "JVMCI Compiler");

        private final List<String> beginnings;

        Kind(String... beginnings) {
            this.beginnings = List.of(beginnings);
        }

        private static Kind of(String name) {
            return Arrays.stream(values())
                    .filter(kind -> kind.beginnings.stream().anyMatch(name::startsWith))
                    .findFirst()
                    .orElse(OWN);
        }
    }

    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

    /** @param sched null if the file does not exist */
    static ThreadUsage parse(String schedstat, String status, String sched) {
        long cpuNs = Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        long switches = 0;
        Kind kind = Kind.OWN;
        boolean runs = false;
        for (String line : status.split("\n")) {
            if (line.startsWith(NAME)) {
                kind = Kind.of(line.substring(NAME.length()).strip());
            } else if (line.startsWith(RUNS)) {
                runs = true;
            } else if (line.startsWith(VOLUNTARY)) {
                switches += Long.parseLong(line.substring(VOLUNTARY.length()).trim());
            } else if (line.startsWith(INVOLUNTARY)) {
                switches += Long.parseLong(line.substring(INVOLUNTARY.length()).trim());
            }
        }
        return new ThreadUsage(cpuNs, switches, kind, runs, migrations(sched));
    }

    /** Parses {@code se.nr_migrations : 12}, padded with spaces. */
    private static long migrations(String sched) {
        int at = sched == null ? -1 : sched.indexOf(MIGRATIONS);
        if (at < 0) {
            return ProcessUsage.UNKNOWN;
        }
        int end = sched.indexOf('\n', at);
        String line = sched.substring(at, end < 0 ? sched.length() : end);
        return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
    }
}
