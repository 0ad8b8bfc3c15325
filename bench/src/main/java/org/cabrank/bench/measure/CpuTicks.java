package org.cabrank.bench.measure;

/**
 * User and system time of a process as {@code /proc/PID/stat} counts them (proc(5), fields 14 and 15): ticks of 1/100 s,
 * divided between user and system by what the timer interrupt met, so only their ratio over seconds means anything.
 *
 * @param user ticks in user mode
 * @param system ticks in kernel mode
 */
public record CpuTicks(long user, long system) {

    private static final int UTIME_AFTER_COMMAND = 11;

    /** Reads the one line of {@code /proc/PID/stat}. */
    static CpuTicks parse(String stat) {
        // The command's name stands in parentheses and may itself hold spaces and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new CpuTicks(
                Long.parseLong(fields[UTIME_AFTER_COMMAND]), Long.parseLong(fields[UTIME_AFTER_COMMAND + 1]));
    }
}
