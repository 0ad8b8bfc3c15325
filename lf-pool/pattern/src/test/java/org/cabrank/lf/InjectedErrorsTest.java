package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.leadership.Parking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Errors in the pool's own code, at every call of the clock, of parking, of a wait and of a wake-up in turn: the pool continues with all
 * its threads, or fails visibly, and it ends.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class InjectedErrorsTest {
    private static final int THREADS = 3;

    /** Enough for every kind of call to be hit in every state: a run of the scenario makes about as many. */
    private static final int CALLS = 90;

    private static final IntFunction<Error> FRESH = n ->
            n % 2 == 0 ? new OutOfMemoryError("injected on purpose") : new StackOverflowError("injected on purpose");

    /** Throws at one of its calls by threads of the pool. */
    private static final class Fault implements Runnable {
        private final int at;
        private final Error thrown;
        private final AtomicInteger calls = new AtomicInteger();

        Fault(int at, Error thrown) {
            this.at = at;
            this.thrown = thrown;
        }

        @Override
        public void run() {
            if (Thread.currentThread().getName().startsWith("own-") && calls.incrementAndGet() == at) {
                throw thrown;
            }
        }
    }

    private record FaultyParking(Fault fault) implements Parking {
        @Override
        public long nanoTime() {
            fault.run();
            return SYSTEM.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            fault.run();
            SYSTEM.park(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            fault.run();
            SYSTEM.unpark(thread);
        }
    }

    private static PoolConfig config(Promotion promotion, int threads) {
        return PoolConfig.of("own", threads).withPromotion(promotion).withThreadFactory(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, failure) -> {});
            return thread;
        });
    }

    @Test
    void eagerPoolGoesOnOrFails() {
        failAtEachCall(config(Promotion.eager(), THREADS), 1);
    }

    @Test
    void deferredPoolOfTwoSetsGoesOnOrFails() {
        failAtEachCall(config(Promotion.deferred(Duration.ofNanos(200_000)), THREADS), 2);
    }

    @Test
    void poolOfOneThreadGoesOnOrFails() {
        failAtEachCall(config(Promotion.deferred(), 1), 1);
    }

    private static void failAtEachCall(PoolConfig config, int sets) {
        for (int call = 1; call <= CALLS; call++) {
            run(config, sets, call, FRESH.apply(call));
        }
    }

    private static void run(PoolConfig config, int setCount, int call, Error thrown) {
        Fault fault = new Fault(call, thrown);
        List<PostOnlySet> sets = new ArrayList<>();
        for (int i = 0; i < setCount; i++) {
            sets.add(new PostOnlySet(fault));
        }
        LeaderFollowersPool pool = new LeaderFollowersPool(sets, config, new FaultyParking(fault));
        try {
            pool.start();
        } catch (IllegalStateException failed) {
            assertNotNull(pool.failure());
            pool.close();
            sets.forEach(HandleSet::close);
            return;
        }
        List<Handle> handles = new ArrayList<>();
        AtomicInteger outcomes = new AtomicInteger();
        int posted = 0;
        for (PostOnlySet set : sets) {
            for (EventHandler handler : handlers(pool)) {
                Handle handle = set.registerVirtual("scenario", counting(handler, outcomes));
                handles.add(handle);
                handle.post(Ready.POSTED);
                posted++;
            }
        }
        int expected = posted;
        String when = thrown + " at call " + call;
        await(when + ": the scenario ends", () -> outcomes.get() >= expected || pool.failure() != null);
        probe(sets, pool, when);
        await(when + ": threads", () -> pool.threads().size() == config.threads() || pool.failure() != null);
        pool.close();
        for (Handle handle : handles) {
            assertTrue(
                    pool.failure() != null || handle.isClosed() || !HandleStates.isClaimed(handle),
                    () -> when + ": the claim was released");
        }
        sets.forEach(HandleSet::close);
    }

    private static void await(String what, BooleanSupplier condition) {
        assertTrue(Await.until(Await.PATIENCE, condition), what);
    }

    /** Each set has a leader still. */
    private static void probe(List<PostOnlySet> sets, LeaderFollowersPool pool, String when) {
        AtomicInteger probed = new AtomicInteger();
        for (PostOnlySet set : sets) {
            set.registerVirtual("probe", counting((handle, ready) -> {}, probed))
                    .post(Ready.POSTED);
        }
        await(when + ": every set is watched", () -> probed.get() >= sets.size() || pool.failure() != null);
        if (pool.failure() == null) {
            assertEquals(sets.size(), probed.get(), when);
        }
    }

    private static List<EventHandler> handlers(LeaderFollowersPool pool) {
        return List.of(
                (handle, ready) -> {},
                (handle, ready) -> pool.promoteNewLeader(),
                (handle, ready) -> {
                    throw new IllegalStateException("thrown by a handler on purpose");
                },
                (handle, ready) -> {
                    try {
                        pool.newReply().await(Duration.ofNanos(300_000));
                    } catch (TimeoutException expected) {
                        // nobody completes it
                    }
                });
    }

    /** Counts a handle once: when its handler has returned, or when it is closed. */
    private static EventHandler counting(EventHandler handler, AtomicInteger outcomes) {
        AtomicInteger counted = new AtomicInteger();
        return new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws Exception {
                handler.handleEvent(handle, ready);
                count();
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                count();
            }

            private void count() {
                if (counted.getAndIncrement() == 0) {
                    outcomes.incrementAndGet();
                }
            }
        };
    }
}
