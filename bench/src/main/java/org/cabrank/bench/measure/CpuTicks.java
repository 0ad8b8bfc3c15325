package org.cabrank.bench.measure;

/**
 * User and system time of a process as {@code /proc/PID/stat} counts them (proc(5), fields 14 and 15): ticks of 1/100 s.
 * Threads that have ended are included. The sum is exact to the tick (the kernel scales it to the run time that the
 * scheduler measured); between user and system it is divided by what the timer interrupt met, so only their ratio over
 * seconds means anything.
 *
 * @param user ticks in user mode
 * @param system ticks in kernel mode
 */
public record CpuTicks(long user, long system) {

    /** USER_HZ, in which the kernel reports on every architecture that the JVM runs on. */
    static final long TICK_NS = 10_000_000;

    private static final int UTIME_AFTER_COMMAND = 11;

    /** Reads the one line of {@code /proc/PID/stat}. */
    static CpuTicks parse(String stat) {
        // The command's name stands in parentheses and may itself hold spaces and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new CpuTicks(
                Long.parseLong(fields[UTIME_AFTER_COMMAND]), Long.parseLong(fields[UTIME_AFTER_COMMAND + 1]));
    }
}
