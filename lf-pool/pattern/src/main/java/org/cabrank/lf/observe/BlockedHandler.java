package org.cabrank.lf.observe;

import java.time.Duration;
import java.util.List;

/**
 * A handler that a {@link Watchdog} has found to run for too long, asleep or spinning.
 *
 * @param pool the name of the pool
 * @param thread the thread that runs it, at the time of the report
 * @param handle the handle whose event is being processed, in words
 * @param blockedFor how long it has run, at least: since the watchdog saw it first
 * @param stack where the thread was, the innermost call first
 */
public record BlockedHandler(
        String pool, Thread thread, String handle, Duration blockedFor, List<StackTraceElement> stack) {

    public BlockedHandler {
        stack = List.copyOf(stack);
    }

    /** The report in words, with a line for each call of the stack. */
    public String describe() {
        StringBuilder words = new StringBuilder("pool ")
                .append(pool)
                .append(": ")
                .append(thread.getName())
                .append(" has run the handler of ")
                .append(handle)
                .append(" for at least ")
                .append(blockedFor.toMillis())
                .append(" ms");
        for (StackTraceElement call : stack) {
            words.append(System.lineSeparator()).append("\tat ").append(call);
        }
        return words.toString();
    }
}
