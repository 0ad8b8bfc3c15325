package org.cabrank.bench.contender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.serve.BusyWork;
import org.cabrank.bench.serve.HandlerWork;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.lf.Promotion;

/**
 * What the bench asks of every contender alike. Travels to the contender's process as arguments.
 *
 * @param workNs the computing that each request takes, in CPU time
 * @param slow the handlers' simulated slowness
 * @param threads how many threads the contenders with several threads use; those with one ignore it; 0: each its own
 *     default
 * @param maxGapNs how long deferred promotion lets a leader stay in a handler; only those that promote look at it
 */
public record ServerSettings(long workNs, SlowRequests slow, int threads, long maxGapNs) {

    /** Of the contenders that have no reason for another number. */
    public static final int DEFAULT_THREADS = 3;

    public static final long DEFAULT_MAX_GAP_NS = 200_000;

    /** Nothing slow, the default pool. */
    public static final ServerSettings DEFAULT = new ServerSettings(0, SlowRequests.NONE, 0, DEFAULT_MAX_GAP_NS);

    private static final int THREADS_MAX = 1_024;
    private static final String WORK_NS = "work-ns=";
    private static final String SLOW_PERMILLE = "slow-permille=";
    private static final String SLOW_TIME_NS = "slow-time-ns=";
    private static final String THREADS = "threads=";
    private static final String MAX_GAP_NS = "max-gap-ns=";

    public ServerSettings {
        if (threads != 0) {
            checkThreads(threads);
        }
        // Refuse what is out of their ranges, in words.
        BusyWork.checkTime(workNs);
        Promotion.deferred(Duration.ofNanos(maxGapNs));
    }

    /** Throws IllegalArgumentException in words when a contender cannot have that many threads. */
    public static void checkThreads(int threads) {
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to " + THREADS_MAX);
        }
    }

    /** The threads that the user wants, or {@code ownDefault}. */
    int threadsElse(int ownDefault) {
        return threads == 0 ? ownDefault : threads;
    }

    /** What each request takes; the first call calibrates this process where there is computing to do. */
    public HandlerWork work() {
        return new HandlerWork(BusyWork.lasting(workNs), slow);
    }

    /** The settings as arguments for a child process. */
    public List<String> toArguments() {
        return List.of(
                WORK_NS + workNs,
                SLOW_PERMILLE + slow.permille(),
                SLOW_TIME_NS + slow.timeNs(),
                THREADS + threads,
                MAX_GAP_NS + maxGapNs);
    }

    /** The inverse of {@link #toArguments}. */
    public static ServerSettings fromArguments(List<String> arguments) {
        List<String> left = new ArrayList<>(arguments);
        ServerSettings settings = new ServerSettings(
                take(left, WORK_NS),
                new SlowRequests((int) take(left, SLOW_PERMILLE), take(left, SLOW_TIME_NS)),
                (int) take(left, THREADS),
                take(left, MAX_GAP_NS));
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("unknown contender arguments: " + left);
        }
        return settings;
    }

    private static long take(List<String> arguments, String prefix) {
        for (String argument : arguments) {
            if (argument.startsWith(prefix)) {
                arguments.remove(argument);
                return Long.parseLong(argument.substring(prefix.length()));
            }
        }
        throw new IllegalArgumentException("missing contender argument " + prefix);
    }
}
