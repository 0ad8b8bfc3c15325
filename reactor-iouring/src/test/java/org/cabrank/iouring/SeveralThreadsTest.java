package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads at a ring are refused at the start, with the cause and the remedy. */
@Timeout(300)
class SeveralThreadsTest {
    private static final Backend RINGS = Backend.of(new IoUringBackendProvider());

    static Stream<Promotion> promotions() {
        return Stream.of(Promotion.deferred(), Promotion.eager());
    }

    private static String refusalOf(StreamReactor.Builder builder) {
        return assertThrows(BackendUnavailableException.class, builder.backend(RINGS)::start)
                .getMessage();
    }

    @Test
    void aReactorWithSeveralThreadsForAShardIsRefused() {
        assertEquals(
                "iouring cannot serve a shard with 4 threads: the kernel lets only one thread use a ring; use 1 thread per shard,"
                        + " or epoll",
                refusalOf(StreamReactor.builder().threadsPerShard(4)));
    }

    @Test
    void aReactorWhoseShardsShareThreadsIsRefused() {
        String refusal = refusalOf(StreamReactor.builder().shards(2).sharedThreads(2));
        assertEquals(refusalOf(StreamReactor.builder().threadsPerShard(2)), refusal);
    }

    /** The set can be served by another pool afterwards. */
    @ParameterizedTest
    @MethodSource("promotions")
    void aPoolOfSeveralThreadsIsRefusedWhateverItsPromotion(Promotion promotion) throws IOException {
        Ring ring = Rings.openDisabled(TestKernel.any(), Rings.SMALL); // skips where there is no io_uring
        ring.close();
        try (RingHandleSet set = new RingHandleSet(TestKernel.any(), Deactivation.CLAIM, RingOptions.DEFAULT)) {
            PoolConfig several = PoolConfig.of("several", 2).withPromotion(promotion);
            assertEquals(
                    set
                            + " cannot be served by 2 threads: the kernel lets only one thread use a ring; use a pool of 1 thread,"
                            + " or epoll",
                    assertThrows(IllegalArgumentException.class, () -> new LeaderFollowersPool(set, several))
                            .getMessage());
            try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("one", 1))) {
                pool.start();
                assertThrows(IllegalStateException.class, pool::join, "a guest would be the second thread");
                assertFalse(pool.isTerminated());
            }
        }
    }
}
