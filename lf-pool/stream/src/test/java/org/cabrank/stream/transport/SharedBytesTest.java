package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.junit.jupiter.api.Test;

/** Bytes that the shards of a reactor count together: their limit, their steps, and who waits for room. */
class SharedBytesTest {
    private static final int KIB = 1 << 10;
    private static final int SMALL = 16 * KIB;
    private static final long MAX = 1024 * KIB;

    private final SharedBytes bytes = new SharedBytes(MAX, 2);
    private final SharedBytes.Part first = new SharedBytes.Part(bytes);
    private final SharedBytes.Part second = new SharedBytes.Part(bytes);
    private final AtomicInteger called = new AtomicInteger();
    private final SharedBytes.Waiter waiter = called::incrementAndGet;

    /** Other connections may free bytes between the refusal and its message. */
    @Test
    void messageOfARefusalNamesTheLimitOfUnreadBytesThoughOthersHaveFreedThem() {
        ChunkPool pool = new ChunkPool(KIB, buffer -> 0);
        pool.countIn(null, first);
        second.add(MAX);
        assertNull(pool.take(24 * KIB, 0));
        second.add(-MAX);
        String message = pool.exhausted("no memory").getMessage();
        assertTrue(message.contains("StreamLimits.unreadMax"), message);
    }

    @Test
    void largeConnectionsLeaveTheLastQuarterToSmallOnes() {
        assertTrue(bytes.hasRoom(192 * KIB, 192 * KIB), "a quarter of three quarters");
        assertFalse(bytes.hasRoom(192 * KIB + 1, 1));
        first.add(512 * KIB);
        assertTrue(bytes.hasRoom(64 * KIB, 10));
        assertFalse(bytes.hasRoom(64 * KIB + 1, 10));
        second.add(256 * KIB);
        assertFalse(bytes.hasRoom(SMALL + 1, 1));
        assertTrue(bytes.hasRoom(SMALL, SMALL));
        second.add(256 * KIB);
        assertFalse(bytes.hasRoom(1, 1));
        assertTrue(bytes.everHasRoom(128 * KIB));
        assertFalse(bytes.everHasRoom(128 * KIB + 1));
    }

    @Test
    void sharesBecomeSmallerTheMoreIsInUse() {
        assertTrue(bytes.mayHold(MAX * 3 / 16));
        assertFalse(bytes.mayHold(MAX * 3 / 16 + 1));
        first.add(512 * KIB);
        assertTrue(bytes.mayHold(64 * KIB));
        assertFalse(bytes.mayHold(64 * KIB + 1));
        first.add(256 * KIB);
        assertFalse(bytes.mayHold(ChunkPool.SMALL_BYTES + 1));
        assertTrue(bytes.mayHold(ChunkPool.SMALL_BYTES));
        first.add(255 * KIB);
        second.add(32 * KIB);
        assertFalse(bytes.mayHold(ChunkPool.SMALL_BYTES));
    }

    /** A step of 32 KiB for each of two shards: together a sixteenth of the limit. */
    @Test
    void theCommonCountDiffersByASixteenthAtMost() {
        Random random = new Random(5);
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            int change = random.nextInt(20 * KIB) - 10 * KIB;
            (random.nextBoolean() ? first : second).add(change);
            sum += change;
            assertTrue(Math.abs(Math.max(0, sum) - bytes.bytes()) <= MAX / 16, sum + " but counted " + bytes.bytes());
        }
    }

    @Test
    void aWaiterIsCalledOnceWhenThereIsRoom() {
        assertTrue(bytes.hasRoomOrAwait(waiter, 100 * KIB), "at once");
        first.add(512 * KIB);
        assertFalse(bytes.hasRoomOrAwait(waiter, 100 * KIB));
        assertFalse(bytes.hasRoomOrAwait(waiter, 96 * KIB), "the same, with less queued");
        first.add(-64 * KIB);
        assertEquals(0, called.get());
        second.add(-64 * KIB); // by another shard than the one that added them
        assertEquals(1, called.get());
        first.add(-256 * KIB);
        assertEquals(1, called.get());
        assertEquals(0, bytes.waitingCount());
        assertTrue(bytes.hasRoomOrAwait(waiter, 100 * KIB));
    }

    @Test
    void waitersAreCalledInTheirOrderAsFarAsThereIsRoom() {
        List<Integer> order = new ArrayList<>();
        first.add(768 * KIB);
        for (int i = 0; i < 4; i++) {
            int number = i;
            assertFalse(bytes.hasRoomOrAwait(() -> order.add(number), i == 1 ? 150 * KIB : 50 * KIB));
        }
        first.add(-256 * KIB);
        assertEquals(List.of(0, 2), order, "each with room of its own, and a large one holds none up");
        bytes.callWaiters();
        assertEquals(List.of(0, 2, 3), order, "nobody has used the room");
        first.add(-512 * KIB);
        assertEquals(List.of(0, 2, 3, 1), order);
    }

    @Test
    void aWaiterThatHasEndedIsNotCalledAndTheNextIs() {
        first.add(704 * KIB);
        AtomicInteger other = new AtomicInteger();
        assertFalse(bytes.hasRoomOrAwait(waiter, 20 * KIB));
        assertFalse(bytes.hasRoomOrAwait(other::incrementAndGet, 20 * KIB));
        bytes.forget(waiter);
        first.add(-704 * KIB);
        assertEquals(0, called.get());
        assertEquals(1, other.get());
        assertEquals(0, bytes.waitingCount());
    }

    /** Threads fill the limit, wait until there is room, and free what they hold: none waits in vain. */
    @Test
    void noWaiterIsForgottenHoweverThreadsFillAndFree() throws Exception {
        AtomicLong rounds = new AtomicLong();
        List<TestThread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(i);
            SharedBytes.Part own = i % 2 == 0 ? first : second;
            SharedBytes.Part other = i % 2 == 0 ? second : first;
            threads.add(TestThread.start("fills " + i, () -> {
                for (int round = 0; round < 5_000; round++) {
                    int wanted = 1 + random.nextInt(120 * KIB);
                    Semaphore rooms = new Semaphore(0);
                    SharedBytes.Waiter ownWaiter = rooms::release;
                    while (!bytes.hasRoomOrAwait(ownWaiter, wanted)) {
                        assertTrue(rooms.tryAcquire(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "there is room");
                    }
                    own.add(wanted);
                    bytes.callWaiters();
                    if (random.nextInt(3) == 0) {
                        Thread.yield();
                    }
                    (random.nextBoolean() ? own : other).add(-wanted);
                    rounds.incrementAndGet();
                }
            }));
        }
        for (TestThread thread : threads) {
            thread.join();
        }
        assertEquals(30_000, rounds.get());
        assertEquals(0, bytes.waitingCount());
        assertTrue(bytes.bytes() <= MAX / 16, "left: " + bytes.bytes());
    }
}
