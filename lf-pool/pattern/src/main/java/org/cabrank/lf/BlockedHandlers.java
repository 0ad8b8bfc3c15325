package org.cabrank.lf;

import java.time.Duration;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.observe.BlockedHandler;

/** Finds and counts handlers that run longer than a limit. Used by one thread, but any thread may read the count. */
final class BlockedHandlers {
    static final int STACKS_MAX = 256;

    private static final class Seen {
        final long processed;
        final long sinceNs;

        long nextStackNs;

        boolean counted;

        Seen(long processed, long sinceNs, long nextStackNs) {
            this.processed = processed;
            this.sinceNs = sinceNs;
            this.nextStackNs = nextStackNs;
        }
    }

    private final long limitNs;
    private final Consumer<? super BlockedHandler> consumer;
    private final FailureLog failures;
    private final Set<List<StackTraceElement>> stacks = new HashSet<>();
    private final AtomicLong blocked = new AtomicLong();
    private Map<WatchedPool.Progress, Seen> seen = new IdentityHashMap<>();

    BlockedHandlers(long limitNs, Consumer<? super BlockedHandler> consumer, FailureLog failures) {
        this.limitNs = limitNs;
        this.consumer = consumer;
        this.failures = failures;
    }

    long blockedOpaque() {
        return blocked.get();
    }

    void check(Iterable<? extends WatchedPool> pools, long nowNs) {
        Map<WatchedPool.Progress, Seen> inProgress = new IdentityHashMap<>();
        for (WatchedPool pool : pools) {
            for (WatchedPool.Progress thread : pool.progress()) {
                long processed = thread.processedOpaque();
                if (thread.isProcessingOpaque()) {
                    Seen before = seen.get(thread);
                    boolean same = before != null && before.processed == processed;
                    Seen handler = same ? before : new Seen(processed, nowNs, limitNs);
                    inProgress.put(thread, handler);
                    if (nowNs - handler.sinceNs >= handler.nextStackNs) {
                        examine(pool, thread, handler, nowNs - handler.sinceNs);
                    }
                }
            }
        }
        seen = inProgress;
    }

    private void examine(WatchedPool pool, WatchedPool.Progress thread, Seen handler, long blockedNs) {
        // A spinning handler has a new stack in each sample. To take fewer samples, each pause is as long as the
        // handler has run.
        handler.nextStackNs = 2 * blockedNs;
        try {
            List<StackTraceElement> stack = List.of(thread.thread().getStackTrace());
            String handle = pool.describeWork(thread);
            if (!thread.isProcessingOpaque() || thread.processedOpaque() != handler.processed) {
                return; // the handler has ended: the stack may be that of the thread's next work
            }
            if (!handler.counted) {
                handler.counted = true;
                blocked.incrementAndGet();
            }
            if (stacks.size() < STACKS_MAX && stacks.add(stack)) {
                consumer.accept(
                        new BlockedHandler(pool.name(), thread.thread(), handle, Duration.ofNanos(blockedNs), stack));
            }
        } catch (Throwable failure) { // thrown by the consumer, for instance: the other threads must still be watched
            failures.log("reporting a blocked handler failed", failure);
        }
    }
}
