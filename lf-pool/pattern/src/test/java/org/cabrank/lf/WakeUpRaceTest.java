package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A post meets a leader that goes to sleep. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class WakeUpRaceTest {
    private static final int POSTS_MAX = 20_000;

    /** Named bound: posts that are made however long they take, so that a busy machine tests something as well. */
    private static final int POSTS_MIN = 2_000;

    /** Named bound: spins before a post; a leader goes from its last handler to its wait within them. */
    private static final int SPINS_MAX = 400;

    /** Each post comes some moments after the last one was processed, so that some of them meet the leader going to sleep. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void postAtTheMomentTheLeaderGoesToSleepWakesIt(int threads) throws InterruptedException {
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", threads));
        Semaphore processed = new Semaphore(0);
        MemoryHandle handle = new MemoryHandle(set, "handle", null, (h, ready) -> processed.release());
        FakeHandle other = new FakeHandle(set, "other", (h, ready) -> processed.release());
        set.register(handle);
        set.register(other);
        int posts = 0;
        try (pool) {
            pool.start();
            long begunNs = System.nanoTime();
            while (posts < POSTS_MIN || posts < POSTS_MAX && System.nanoTime() - begunNs < Race.TIME_MAX_NS) {
                for (int spin = posts % SPINS_MAX; spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                (posts % 2 == 0 ? handle : other).post(Ready.POSTED);
                assertTrue(processed.tryAcquire(120, TimeUnit.SECONDS), "post " + posts + " was lost");
                posts++;
            }
        }
        assertTrue(set.interruptsInAWait() > 0, "no post has met a leader that slept");
    }

    /** The leader finds nothing posted, and before it waits something is. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void postBetweenTheLastLookAndTheWaitEndsTheWait(int threads) throws InterruptedException {
        Semaphore processed = new Semaphore(0);
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        Handle handle = set.registerVirtual("handle", (self, ready) -> processed.release());
        Semaphore met = new Semaphore(0);
        set.beforeTheWait(() -> {
            handle.post(Ready.POSTED);
            met.release();
        });
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", threads))) {
            pool.start();
            assertTrue(met.tryAcquire(120, TimeUnit.SECONDS), "no leader was about to wait");
            assertTrue(processed.tryAcquire(120, TimeUnit.SECONDS), "the post was lost");
        }
    }

    /** The leader is woken while it does not wait: it must not wait then, though nothing is posted. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stopBeforeTheLastLookKeepsTheLeaderFromWaiting(int threads) throws InterruptedException {
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        new Timers(set).after(Duration.ofDays(1), timer -> {}); // so that the leader reads the clock before it looks
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", threads));
        Semaphore met = new Semaphore(0);
        set.beforeTheLook(() -> {
            pool.stop();
            met.release();
        });
        pool.start();
        assertTrue(met.tryAcquire(120, TimeUnit.SECONDS), "no leader was about to look");
        assertTrue(pool.awaitTermination(Await.PATIENCE), "the leader waits though the pool stops");
        set.close();
    }
}
