package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.Imbalance;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** M handle sets, and the threads that serve them. */
@Timeout(300)
class ShardedLeaderFollowersTest {
    private static final ShardPlacement ANYWHERE = (shard, thread) -> {};

    private final List<MemoryHandleSet> sets = new ArrayList<>();
    private ShardedLeaderFollowers shards;

    private ShardedLeaderFollowers separate(int count, int threads, ShardPlacement placement) {
        shards = ShardedLeaderFollowers.separate(sets(count), PoolConfig.of("test", threads), placement);
        return shards;
    }

    private List<MemoryHandleSet> sets(int count) {
        for (int i = 0; i < count; i++) {
            sets.add(new MemoryHandleSet(Deactivation.CLAIM));
        }
        return sets;
    }

    @AfterEach
    void close() {
        if (shards != null) {
            shards.close();
            assertTrue(shards.isTerminated());
        }
        sets.forEach(HandleSet::close);
    }

    /** Returns a value that the handler of a handle of this shard sees. */
    private <T> T inside(int shard, Supplier<T> look) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        sets.get(shard)
                .registerVirtual("look", (handle, ready) -> seen.complete(look.get()))
                .post(Ready.POSTED);
        return seen.join();
    }

    @Test
    void threadPerReactorHasALeaderForEachShardAndNobodyElse() {
        separate(3, 1, ANYWHERE).start();
        for (int shard = 0; shard < 3; shard++) {
            LeaderFollowersPool pool = shards.pools().get(shard);
            assertEquals(
                    List.of("test-s" + shard + "-0"),
                    pool.threads().stream().map(ThreadStatus::name).toList());
            assertEquals(
                    "test-s" + shard + "-0",
                    inside(shard, () -> Thread.currentThread().getName()));
        }
    }

    /** The sets are closed after the test. */
    @Test
    void shardThatCannotBeMadeLeavesTheSetsOfTheOthersToTheirOwner() {
        ShardPlacement first = new ShardPlacement() {
            @Override
            public void place(int shard, int thread) {}

            @Override
            public void prepare(int shard) {
                if (shard > 0) {
                    throw new IllegalStateException("refused on purpose");
                }
            }
        };
        assertEquals(
                "refused on purpose",
                assertThrows(IllegalStateException.class, () -> separate(2, 1, first))
                        .getMessage());
    }

    @Test
    void handlersKnowTheirShardAndOthersHaveNone() {
        separate(2, 2, ANYWHERE).start();
        assertEquals(0, inside(0, shards::shardOfCaller));
        assertEquals(1, inside(1, shards::shardOfCaller));
        assertEquals(-1, shards.shardOfCaller());
    }

    @Test
    void threadsThatShareAllShardsKnowWhichOneTheyServe() {
        shards = ShardedLeaderFollowers.sharing(sets(2), PoolConfig.of("all", 3), ANYWHERE);
        shards.start();
        assertEquals(1, shards.pools().size());
        assertEquals(2, shards.shards());
        assertEquals(1, inside(1, shards::shardOfCaller));
        assertEquals(0, inside(0, shards::shardOfCaller));
    }

    @Test
    void handlerThatHasWaitedNestedKnowsItsShardThoughItsThreadHasLedAnother() {
        shards = ShardedLeaderFollowers.sharing(
                sets(2), PoolConfig.of("all", 2).withPromotion(Promotion.eager()), ANYWHERE);
        shards.start();
        LeaderFollowersPool pool = shards.pools().get(0);
        assertTrue(Await.until(
                Await.PATIENCE,
                () -> pool.threads().stream().allMatch(status -> status.state() == ThreadState.LEADER)));
        Reply<Void> reply = pool.newReply();
        CompletableFuture<Integer> shardAfterwards = new CompletableFuture<>();
        sets.get(1)
                .registerVirtual("waits", (handle, ready) -> {
                    reply.await(Duration.ofSeconds(120));
                    shardAfterwards.complete(shards.shardOfCaller());
                })
                .post(Ready.POSTED);
        assertTrue(Await.until(Await.PATIENCE, () -> pool.counters().nestedWaits() == 1));
        Semaphore entered = new Semaphore(0);
        Semaphore gate = new Semaphore(0);
        sets.get(0)
                .registerVirtual("slow", (handle, ready) -> {
                    entered.release();
                    gate.acquireUninterruptibly();
                })
                .post(Ready.POSTED);
        entered.acquireUninterruptibly();
        assertEquals(1, inside(1, shards::shardOfCaller), "by the thread that waits");
        assertTrue(Await.until(
                Await.PATIENCE,
                () -> pool.threads().stream()
                        .anyMatch(status -> status.state() == ThreadState.LEADER && status.set() == 0)));
        reply.complete(null);
        assertEquals(1, shardAfterwards.join());
        gate.release();
    }

    @Test
    void sharedStateOfAShardIsCreatedOnAThreadThatIsAlreadyPlaced() throws InterruptedException {
        Map<Thread, Integer> placed = new ConcurrentHashMap<>();
        Set<String> calls = ConcurrentHashMap.newKeySet();
        ShardPlacement placement = (shard, thread) -> {
            placed.put(Thread.currentThread(), shard);
            calls.add(shard + "/" + thread);
        };
        assertEquals(7, placement.make(7, () -> placed.get(Thread.currentThread())));
        separate(2, 2, placement).start();
        assertEquals(Set.of("7/0", "0/0", "0/1", "1/0", "1/1"), calls);
        assertEquals(7, placed.size(), "a thread for each maker, and four of pools: " + placed.values());
        for (Thread thread : placed.keySet()) {
            if (thread.getName().startsWith("cabrank-make")) {
                thread.join(Await.PATIENCE.toMillis()); // it ends by itself, a little after what it has made is there
                assertFalse(thread.isAlive(), thread.getName());
            }
        }
    }

    @Test
    void makersFailureIsTheCallersAndSoIsAPlacementsThatFails() {
        IOException failure = new IOException("no ring");
        assertSame(
                failure,
                assertThrows(
                        IOException.class,
                        () -> ANYWHERE.make(0, () -> {
                            throw failure;
                        })));
        ShardPlacement refused = (shard, thread) -> {
            throw new IllegalStateException("CPU " + shard + " is gone");
        };
        assertEquals(
                "CPU 3 is gone",
                assertThrows(IllegalStateException.class, () -> refused.make(3, () -> "made"))
                        .getMessage());
    }

    @Test
    void oneShardThatCannotStartEndsAll() {
        ShardPlacement placement = new ShardPlacement() {
            @Override
            public void place(int shard, int thread) {
                if (shard == 1) {
                    throw new IllegalStateException("no CPU for shard 1");
                }
            }

            @Override
            public void prepare(int shard) {
                // made anywhere
            }
        };
        IllegalStateException refused = assertThrows(
                IllegalStateException.class, () -> separate(2, 1, placement).start());
        assertTrue(refused.getMessage().contains("no CPU for shard 1"), refused::getMessage);
        assertTrue(shards.isTerminated());
    }

    @Test
    void eventsAreCountedForEachShardAndTheirImbalanceTold() throws Exception {
        separate(2, 1, ANYWHERE).start();
        Map<Integer, Integer> wanted = new HashMap<>(Map.of(0, 30, 1, 10));
        for (Map.Entry<Integer, Integer> each : wanted.entrySet()) {
            MemoryHandleSet set = sets.get(each.getKey());
            Semaphore processed = new Semaphore(0);
            MemoryHandle handle = new MemoryHandle(set, "h", null, (own, ready) -> processed.release());
            set.register(handle);
            for (int i = 0; i < each.getValue(); i++) {
                assertTrue(set.produce(handle, Integer.MAX_VALUE));
                processed.acquire();
            }
        }
        assertEquals(List.of(30L, 10L), Arrays.stream(shards.detected()).boxed().collect(Collectors.toList()));
        assertEquals(new Imbalance(0, 1, 1.5), shards.imbalance());
    }

    @Test
    void imbalanceIsFromOneToTheNumberOfShards() {
        assertEquals(new Imbalance(0, 0, 1), Imbalance.of(0, 0, 0));
        assertEquals(new Imbalance(0, 0, 1), Imbalance.of(4, 4));
        assertEquals(new Imbalance(2, 0, 3), Imbalance.of(0, 0, 9));
    }

    @Test
    void handlerMayCloseTheShardsItRunsIn() throws Exception {
        separate(2, 1, ANYWHERE).start();
        inside(1, () -> {
            shards.close();
            return null;
        });
        assertTrue(shards.awaitTermination(Await.PATIENCE));
    }

    @Test
    void stoppedShardsFinishWhatTheyDoAndNotTerminatedOnesAreDistinguished() throws Exception {
        separate(2, 1, ANYWHERE).start();
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> release = new CompletableFuture<>();
        sets.get(1)
                .registerVirtual("slow", (handle, ready) -> {
                    entered.complete(null);
                    release.join();
                })
                .post(Ready.POSTED);
        entered.join();
        shards.stop();
        assertFalse(shards.awaitTermination(Duration.ofMillis(1)));
        release.complete(null);
        assertTrue(shards.awaitTermination(Await.PATIENCE));
    }
}
