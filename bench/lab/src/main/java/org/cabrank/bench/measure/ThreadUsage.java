package org.cabrank.bench.measure;

import java.util.Arrays;
import java.util.List;

/**
 * The kernel's counters of one thread.
 *
 * @param cpuNs CPU time, user and system, from {@code schedstat}: exact
 * @param switches voluntary and involuntary context switches, from {@code status}
 * @param kind recognized by the thread's name
 * @param runs true if the thread was running or runnable
 * @param migrations number of times that the thread resumed on another CPU, from {@code sched}; {@link ProcessUsage#UNKNOWN} if the kernel
 *     does not show that file (before 6.15 without CONFIG_SCHED_DEBUG)
 */
record ThreadUsage(long cpuNs, long switches, Kind kind, boolean runs, long migrations) {

    /** Counters of a thread that did not exist yet. */
    static final ThreadUsage NONE = new ThreadUsage(0, 0, Kind.OWN, false, 0);

    private static final String MIGRATIONS = "nr_migrations";
    private static final String NAME = "Name:";
    private static final String RUNS = "State:\tR";

    enum Kind {
        /** Threads of the program, and threads of a JVM other than its compiler threads. */
        OWN(),
        /**
         * Threads of the kernel for a process's io_uring rings: iou-sqp takes submissions (IORING_SETUP_SQPOLL), iou-wrk executes blocking
         * requests. The kernel counts them as threads of the process.
         */
        RING("iou-"),
        /** The kernel cuts names off at 15 characters. */
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
