package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A graceful stop processes what was detected and what was posted, wherever it stands when the pool stops. */
@Timeout(300)
class GracefulStopTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private void pool(int threads, int sets, Promotion promotion) {
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(promotion), Deactivation.CLAIM, sets);
    }

    /** Sets that have nothing left to be done stand in line with the one that has. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everySetIsFinishedThoughOthersWereVacatedBefore(boolean eager) {
        pool(3, 3, eager ? Promotion.eager() : Promotion.deferred(PoolFixture.MAX_GAP));
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandleSet busy = fixture.sets.get(2);
        List<FakeHandle> handles = new ArrayList<>();
        handles.add(fixture.slow(busy, "slow", gate));
        for (int i = 1; i <= 5; i++) {
            String name = "event " + i;
            handles.add(busy.register(name, (handle, ready) -> {
                fixture.pool.promoteNewLeader(); // under deferred promotion as if it were eager
                fixture.log.add(name);
            }));
        }
        busy.report(handles.toArray(new FakeHandle[0]));
        gate.awaitEntered();
        fixture.pool.stop();
        gate.open();
        fixture.awaitTerminated();
        // Two threads process the handles: they are taken in order, but the handlers may overtake each other.
        assertEquals(
                List.of("event 1", "event 2", "event 3", "event 4", "event 5"),
                fixture.log.stream()
                        .filter(line -> line.startsWith("event"))
                        .sorted()
                        .toList());
    }

    /** A thread has marked a handle as posted, and stands still before it puts it on the list; others count on its post. */
    @Test
    void aPostThatIsUnderWayIsWaitedFor() throws Exception {
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        AtomicInteger calls = new AtomicInteger();
        Handle handle = set.registerVirtual("posted", (self, ready) -> calls.incrementAndGet());
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("test", 1));
        assertTrue(HandleStates.notePosted(handle));
        handle.post(Ready.POSTED); // returns, and is merged
        pool.start();
        Thread closing = new Thread(pool::close);
        closing.start();
        assertTrue(Await.until(Await.PATIENCE, pool::isStopping));
        closing.join(50);
        assertFalse(pool.isTerminated(), "without what was posted");
        assertEquals(0, calls.get());
        HandleStates.enqueuePosted(set.dispatcher(), handle);
        closing.join();
        assertEquals(1, calls.get());
        set.close();
    }
}
