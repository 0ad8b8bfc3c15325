package org.cabrank.lf.failure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts failures and logs the first failure of each kind with its stack, so that one mistake in a handler does not fill a disk. A kind is
 * a failure's class and the place that threw it. For a {@link StackOverflowError}, the place is the method that is most frequent on its
 * stack, because any call of a recursion may throw it. Any thread may call any method.
 *
 * <p>No method that logs ever throws, not even an error, because the caller may hold a claim or leadership. If the logger or a {@code
 * toString} throws, the log entry is lost and counted ({@link #unloggedCount}). In this case the next failure of the kind is logged.
 */
public final class FailureLog {
    /** Maximum number of kinds that are distinguished. Failures of further kinds are only counted. */
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

    /** Like {@link #log(String, Throwable)}, but {@code what} is called only if the failure is logged. */
    public void log(Supplier<String> what, Throwable failure) {
        note(null, null, what, NO_SUBJECT, failure);
    }

    /** Like {@link #log(Supplier, Throwable)}, but the caller gives the kind, because one place may throw for several reasons. */
    public void logKind(String kind, Supplier<String> what, Throwable failure) {
        note(kind, null, what, NO_SUBJECT, failure);
    }

    /**
     * Like {@link #log(String, Throwable)}, but the text is {@code format}, in which one {@code %s} stands for the subject. The subject's
     * {@code toString} is called only if the failure is logged. If {@code toString} throws, the name of the subject's class is used.
     */
    public void log(String format, Object subject, Throwable failure) {
        note(null, format, null, subject, failure);
    }

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

    /** Number of log entries in this process that were lost because the logger or the message threw. Includes entries of {@link #write}. */
    public static long unloggedCount() {
        return UNLOGGED.sum();
    }

    /** Writes a log entry without counting a failure. Never throws. {@code failure} may be null. */
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
            // nothing more can be done: there is no stack or memory left
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
