package org.cabrank.lf.observe;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.leadership.Deadlines;

/**
 * A handler that a {@link org.cabrank.lf.Watchdog} found to run for too long.
 *
 * @param pool name of the pool
 * @param thread thread that runs the handler at the time of the report
 * @param handle description of the handle whose event is being processed
 * @param blockedFor time since the watchdog first saw the handler. The handler has run at least this long
 * @param stack stack of the thread, the innermost call first
 */
public record BlockedHandler(
        String pool, Thread thread, String handle, Duration blockedFor, List<StackTraceElement> stack) {

    public BlockedHandler {
        stack = List.copyOf(stack);
    }

    /** The report as text, with a line for each call of the stack. */
    public String describe() {
        StringBuilder words = new StringBuilder("pool ")
                .append(pool)
                .append(": ")
                .append(thread.getName())
                .append(" has run the handler of ")
                .append(handle)
                .append(" for at least ")
                .append(Deadlines.ns(blockedFor) / 1_000_000)
                .append(" ms");
        for (StackTraceElement call : stack) {
            words.append(System.lineSeparator()).append("\tat ").append(call);
        }
        return words.toString();
    }
}
