package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A post meets a leader that goes to sleep. */
@Timeout(120)
class WakeUpRaceTest {
    private static final int POSTS_MAX = 20_000;

    /** The next post comes the moment the last one was processed: while the leader goes to sleep. */
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
        try (pool) {
            pool.start();
            long begunNs = System.nanoTime();
            for (int i = 0; i < POSTS_MAX && System.nanoTime() - begunNs < Race.TIME_MAX_NS; i++) {
                (i % 2 == 0 ? handle : other).post(Ready.POSTED);
                assertTrue(processed.tryAcquire(20, TimeUnit.SECONDS), "post " + i + " was lost");
            }
        }
    }
}
