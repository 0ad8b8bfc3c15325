package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of shards of a reactor, between its builder and its placement. */
@Timeout(300)
class PlacedReactorTest {
    private final Set<String> placed = new ConcurrentSkipListSet<>();
    private final Set<String> planned = new ConcurrentSkipListSet<>();

    private static StreamReactor.Builder reactor() {
        return StreamReactor.builder().backend(Backend.of(new PostsOnlyBackend()));
    }

    /** A placement that wants {@code shards} shards if it may choose. */
    private ThreadPlacement choosing(int shards) {
        return new ThreadPlacement() {
            @Override
            public ThreadPlacement planned(int wanted, int threads) {
                planned.add(wanted + " shards of " + threads);
                int count = wanted == 0 ? shards : wanted;
                return sized(count);
            }

            @Override
            public void place(int shard, int thread) {
                throw new AssertionError("the placement was not planned");
            }
        };
    }

    /** A placement for this number of shards and no other. */
    private ThreadPlacement sized(int shards) {
        return new ThreadPlacement() {
            @Override
            public int shards() {
                return shards;
            }

            @Override
            public void place(int shard, int thread) {
                placed.add(shard + "." + thread);
            }
        };
    }

    @Test
    void aPlacementChoosesTheNumberOfShardsThatTheBuilderWasNotGiven() throws Exception {
        try (StreamReactor reactor =
                reactor().threadsPerShard(2).placement(choosing(3)).start()) {
            assertEquals(3, reactor.pools().size());
        }
        assertEquals(Set.of("0 shards of 2"), planned);
        assertEquals(Set.of("0.0", "0.1", "1.0", "1.1", "2.0", "2.1"), placed);
    }

    @Test
    void aPlacementIsPlannedForTheNumberOfShardsOfTheBuilder() throws Exception {
        try (StreamReactor reactor = reactor().shards(2).placement(choosing(3)).start()) {
            assertEquals(2, reactor.pools().size());
        }
        assertEquals(Set.of("2 shards of 1"), planned);
    }

    @Test
    void threadsThatAllShardsShareArePlannedAsThoseOfOneShard() throws Exception {
        try (StreamReactor reactor =
                reactor().shards(2).sharedThreads(3).placement(choosing(5)).start()) {
            assertEquals(1, reactor.pools().size());
            assertEquals(2, reactor.shardCounters().size());
        }
        assertEquals(Set.of("1 shards of 3"), planned);
        assertEquals(Set.of("-1.0", "-1.1", "-1.2"), placed);
    }

    @Test
    void withoutAChoiceThereIsOneShard() throws Exception {
        for (ThreadPlacement any : List.of(ThreadPlacement.NONE, (ThreadPlacement) (shard, thread) -> {})) {
            try (StreamReactor reactor = reactor().placement(any).start()) {
                assertEquals(1, reactor.pools().size());
            }
        }
        assertThrows(IllegalArgumentException.class, () -> reactor().shards(0));
    }

    @Test
    void aPlacementForAnotherNumberOfShardsIsRefusedWithTheRemedy() {
        String refused = assertThrows(
                        IllegalArgumentException.class, reactor().shards(2).placement(sized(4))::start)
                .getMessage();
        assertTrue(refused.contains("for 4 shards, but the reactor has 2: leave out shards(2)"), refused);
    }

    @Test
    void joinedPlacementsAreBothPlannedAndTheFirstChooses() throws Exception {
        ThreadPlacement joined = choosing(2).andThen(choosing(7));
        try (StreamReactor reactor = reactor().placement(joined).start()) {
            assertEquals(2, reactor.pools().size());
        }
        assertEquals(Set.of("0 shards of 1", "2 shards of 1"), planned);
        planned.clear();
        try (StreamReactor reactor = reactor()
                .placement(((ThreadPlacement) (shard, thread) -> {}).andThen(choosing(3)))
                .start()) {
            assertEquals(3, reactor.pools().size());
        }
    }
}
