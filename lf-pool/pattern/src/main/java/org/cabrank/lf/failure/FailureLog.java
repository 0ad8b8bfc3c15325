package org.cabrank.lf.failure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts failures and logs the first of each kind with its stack. A kind is the failure's class and the place that threw
 * it, so that the same mistake in a handler does not fill a disk. The kind of a {@link StackOverflowError}, which can be
 * thrown by any call of a recursion, has the method that stands most often on its stack.
 *
 * <p>No method that logs ever throws, not even an error: it is called while a claim or leadership is held. A logger, a
 * {@code toString} or a failure's own methods that throw cost one log entry; such entries are counted
 * ({@link #unloggedCount}). A kind that could not be logged is tried again at the next failure of that kind.
 *
 * <p>All methods may be called by any thread.
 */
public final class FailureLog {
    /** Named bound: kinds told apart; further ones are counted only. */
    public static final int KINDS_MAX = 256;

    private static final Object NO_SUBJECT = new Object();

    private static final LongAdder UNLOGGED = new LongAdder();

    private final System.Logger logger;
    private final ConcurrentMap<String, Boolean> kinds = new ConcurrentHashMap<>();
    private final LongAdder count = new LongAdder();

    public FailureLog(Class<?> owner) {
        this(System.getLogger(owner.getName()));
    }

    FailureLog(System.Logger logger) {
        this.logger = Objects.requireNonNull(logger, "logger");
    }

    /** Logs {@code what} with level WARNING if no failure of this kind was logged before. */
    public void log(String what, Throwable failure) {
        note(null, what, null, NO_SUBJECT, failure);
    }

    /**
     * Logs as {@link #log(String, Throwable)} does.
     *
     * @param what called at most once, and only if the failure is to be logged
     */
    public void log(Supplier<String> what, Throwable failure) {
        note(null, null, what, NO_SUBJECT, failure);
    }

    /**
     * Logs as {@link #log(String, Throwable)} does. The caller names the kind, because one place
     * may throw failures for several reasons.
     *
     * @param kind name of the kind; as few different ones as there are reasons
     * @param what called at most once, and only if the failure is to be logged
     */
    public void logKind(String kind, Supplier<String> what, Throwable failure) {
        note(kind, null, what, NO_SUBJECT, failure);
    }

    /**
     * Logs as {@link #log(String, Throwable)} does.
     *
     * @param format for {@link String#format}, with one {@code %s} for the subject
     * @param subject asked for its {@code toString} only if the failure is to be logged; one that throws is replaced by the
     *     name of the subject's class
     */
    public void log(String format, Object subject, Throwable failure) {
        note(null, format, null, subject, failure);
    }

    /** @param given kind of the failure; null: its class and the place that threw it */
    private void note(String given, String text, Supplier<String> supplier, Object subject, Throwable failure) {
        String kind = given;
        try {
            count.increment();
            kind = given != null ? given : kindOf(failure);
            if (kinds.size() >= KINDS_MAX || kinds.putIfAbsent(kind, true) != null) {
                return;
            }
            String what = supplier != null
                    ? supplier.get()
                    : subject != NO_SUBJECT ? String.format(text, name(subject)) : text;
            logger.log(
                    System.Logger.Level.WARNING, what + " (logged once per kind; further ones are counted)", failure);
        } catch (Throwable unlogged) { // even an error, because the caller may hold a claim or leadership
            noteUnlogged();
            forget(kind);
        }
    }

    private void forget(String kind) {
        try {
            if (kind != null) {
                kinds.remove(kind);
            }
        } catch (Throwable unlogged) {
            noteUnlogged();
        }
    }

    public long count() {
        return count.sum();
    }

    /** Number of log entries of all failure logs in this process, and of {@link #write}, that the logger or a message failed. */
    public static long unloggedCount() {
        return UNLOGGED.sum();
    }

    /**
     * Writes one entry to {@code logger}; for what is logged on a thread of the pool other than as a failure of a kind.
     * Never throws, and counts an entry that could not be logged.
     *
     * @param failure null: none
     */
    public static void write(
            System.Logger logger, System.Logger.Level level, Supplier<String> message, Throwable failure) {
        try {
            if (logger.isLoggable(level)) {
                logger.log(level, message.get(), failure);
            }
        } catch (Throwable unlogged) {
            noteUnlogged();
        }
    }

    public static String name(Object subject) {
        try {
            return String.valueOf(subject);
        } catch (Throwable unnamed) {
            try {
                return "a " + subject.getClass().getName() + " whose toString failed";
            } catch (Throwable exhausted) {
                return "?";
            }
        }
    }

    private static void noteUnlogged() {
        try {
            UNLOGGED.increment();
        } catch (Throwable exhausted) {
            // without stack or memory even for this, the caller continues
        }
    }

    private static String kindOf(Throwable failure) {
        String name = failure.getClass().getName();
        try {
            StackTraceElement[] stack = failure.getStackTrace();
            if (stack.length == 0) {
                return name;
            }
            return failure instanceof StackOverflowError
                    ? name + " in " + mostFrequentMethod(stack)
                    : name + " at " + stack[0];
        } catch (Throwable unknown) { // thrown by the failure's own method, or for want of memory
            return name;
        }
    }

    private static String mostFrequentMethod(StackTraceElement[] stack) {
        Map<String, Integer> frames = new HashMap<>();
        String most = "";
        int mostFrames = 0;
        for (StackTraceElement frame : stack) {
            String method = frame.getClassName() + "." + frame.getMethodName();
            int count = frames.merge(method, 1, Integer::sum);
            if (count > mostFrames) {
                most = method;
                mostFrames = count;
            }
        }
        return most;
    }
}
