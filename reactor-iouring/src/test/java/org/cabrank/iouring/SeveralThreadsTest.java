package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads at a ring are refused at the start where they cannot serve it, with the cause and the remedy. */
@Timeout(300)
class SeveralThreadsTest {
    private static final Backend RINGS = Backend.of(new IoUringBackendProvider());

    static Stream<Promotion> promotions() {
        return Stream.of(Promotion.deferred(), Promotion.eager());
    }

    private static String refusalOf(StreamReactor.Builder builder) {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close(); // skips where there is no io_uring
        return assertThrows(IllegalArgumentException.class, builder.backend(RINGS)::start)
                .getMessage();
    }

    @Test
    void eagerPromotionIsRefused() {
        assertTrue(refusalOf(StreamReactor.builder().threadsPerShard(2).promotion(Promotion.eager()))
                .endsWith("; use deferred promotion, or epoll"));
    }

    @Test
    void threadsThatShardsShareAreRefused() {
        assertTrue(refusalOf(StreamReactor.builder().shards(2).sharedThreads(2))
                .endsWith("; use threads for each shard, or epoll"));
    }

    @Test
    void shardsGrowByDefault() throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close(); // skips where there is no io_uring
        try (StreamReactor reactor = StreamReactor.builder().backend(RINGS).start()) {
            assertEquals(2, reactor.pools().get(0).threads().size());
        }
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
