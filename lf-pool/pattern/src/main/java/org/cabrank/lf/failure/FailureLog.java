package org.cabrank.lf.failure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts failures and logs the first of each kind with its stack, so that one mistake in a handler does not fill a disk. A kind is the
 * failure's class and the place that threw it. For a {@link StackOverflowError}, which any call of a recursion may throw, the place is the
 * method most frequent on its stack. Any thread may call any method.
 *
 * <p>No method that logs ever throws, not even an error: the caller may hold a claim or leadership. If the logger, a {@code toString} or a
 * method of the failure throws, the log entry is lost and counted ({@link #unloggedCount}). The next failure of the kind is logged instead.
 */
public final class FailureLog {
    /** Named bound: number of kinds that are distinguished. Failures of further kinds are only counted. */
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

    /** Logs {@code what} as a WARNING if no failure of this kind was logged before. */
    public void log(String what, Throwable failure) {
        note(null, what, null, NO_SUBJECT, failure);
    }

    /** Does {@link #log(String, Throwable)}; {@code what} is called at most once, and only if the failure is logged. */
    public void log(Supplier<String> what, Throwable failure) {
        note(null, null, what, NO_SUBJECT, failure);
    }

    /** Does {@link #log(Supplier, Throwable)} for a kind that the caller names, because one place may throw for several reasons. */
    public void logKind(String kind, Supplier<String> what, Throwable failure) {
        note(kind, null, what, NO_SUBJECT, failure);
    }

    /**
     * Does {@link #log(String, Throwable)} with {@link String#format}; {@code format} has one {@code %s} for the subject. The subject's
     * {@code toString} is called only if the failure is logged; if it throws, the name of the subject's class is used.
     */
    public void log(String format, Object subject, Throwable failure) {
        note(null, format, null, subject, failure);
    }

    /** {@code given} is the kind; if null, the kind is the failure's class and the place that threw it. */
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

    /** Number of log entries of this process, those of {@link #write} included, lost because the logger or the message threw. */
    public static long unloggedCount() {
        return UNLOGGED.sum();
    }

    /** Writes an entry without counting a failure or a kind. Never throws; counts a lost entry. {@code failure} may be null. */
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
            // there is not even stack or memory for this: the caller continues
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
        } catch (Throwable unknown) { // a method of the failure has thrown, or memory is short
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
