package org.cabrank.lf;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.observe.Liveness;

/** Reports and counts each liveness problem of a pool once, when it begins. Used by one thread, but any thread may read the count. */
final class LivenessReports {
    private record Found(Liveness.Kind kind, int set) {}

    private final Duration limit;
    private final Consumer<? super Liveness.Problem> consumer;
    private final FailureLog failures;
    private final AtomicLong found = new AtomicLong();
    private Map<WatchedPool, Set<Found>> present = new HashMap<>();

    LivenessReports(Duration limit, Consumer<? super Liveness.Problem> consumer, FailureLog failures) {
        this.limit = limit;
        this.consumer = consumer;
        this.failures = failures;
    }

    long foundOpaque() {
        return found.get();
    }

    void check(Iterable<? extends WatchedPool> pools) {
        Map<WatchedPool, Set<Found>> now = new HashMap<>();
        for (WatchedPool pool : pools) {
            Set<Found> before = present.getOrDefault(pool, Set.of());
            Set<Found> problems = new HashSet<>();
            now.put(pool, problems);
            for (Liveness.Problem problem : pool.liveness(limit).problems()) {
                Found one = new Found(problem.kind(), problem.set());
                problems.add(one);
                if (!before.contains(one)) {
                    report(problem);
                }
            }
        }
        present = now;
    }

    private void report(Liveness.Problem problem) {
        found.incrementAndGet();
        try {
            consumer.accept(problem);
        } catch (Throwable failure) { // the other pools must still be probed
            failures.log("reporting a problem of a pool's liveness failed", failure);
        }
    }
}
