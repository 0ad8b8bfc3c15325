package org.cabrank.lf;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts failures and logs the first of each kind with its stack. A kind is the failure's class and the place that threw
 * it, so that the same mistake in a handler does not fill a disk.
 */
public final class FailureLog {
    /** Named bound: kinds told apart; further ones are counted only. */
    static final int KINDS_MAX = 256;

    private final System.Logger logger;
    private final ConcurrentMap<String, Boolean> kinds = new ConcurrentHashMap<>();
    private final LongAdder count = new LongAdder();

    FailureLog(Class<?> owner) {
        this(System.getLogger(owner.getName()));
    }

    FailureLog(System.Logger logger) {
        this.logger = logger;
    }

    /** Any thread. */
    public void log(String what, Throwable failure) {
        count.increment();
        StackTraceElement[] stack = failure.getStackTrace();
        String kind = failure.getClass().getName() + (stack.length > 0 ? " at " + stack[0] : "");
        if (kinds.size() < KINDS_MAX && kinds.putIfAbsent(kind, true) == null) {
            logger.log(
                    System.Logger.Level.WARNING, what + " (logged once per kind; further ones are counted)", failure);
        }
    }

    /** All failures so far. */
    public long count() {
        return count.sum();
    }
}
