package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.TestThread;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool whose owner keeps chunks aside: nobody else gets those, and all are counted. */
class OwnedChunkPoolTest {
    private static final int CHUNK_BYTES = 8;

    private final ChunkPool pool = new ChunkPool(CHUNK_BYTES, buffer -> 0);

    @BeforeEach
    void own() {
        pool.ownedByCaller();
    }

    private static <T> T byAnother(Callable<T> call) throws InterruptedException, ExecutionException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        return task.get();
    }

    @Test
    void ownerIsGivenWhatItGaveBackLast() {
        Chunk first = pool.take(CHUNK_BYTES, 0);
        Chunk second = pool.take(CHUNK_BYTES, 0);
        assertEquals(2, pool.inUse());
        second.bytes.put((byte) 1);
        pool.giveBack(first);
        pool.giveBack(second);
        assertEquals(0, pool.inUse());
        assertSame(second, pool.take(CHUNK_BYTES, 0));
        assertEquals(CHUNK_BYTES, second.bytes.remaining(), "empty again");
        assertSame(first, pool.take(CHUNK_BYTES, 0));
        assertNotSame(first, pool.take(CHUNK_BYTES, 0));
        assertEquals(3, pool.inUse());
    }

    @Test
    void othersDoNotGetWhatTheOwnerKeeps() throws Exception {
        Chunk own = pool.take(CHUNK_BYTES, 0);
        pool.giveBack(own);
        assertNotSame(own, byAnother(() -> pool.take(CHUNK_BYTES, 0)));
        assertEquals(1, pool.inUse());
        assertSame(own, pool.take(CHUNK_BYTES, 0));
    }

    @Test
    void chunksGivenBackByOtherThreadsAreReused() throws Exception {
        Chunk chunk = pool.take(CHUNK_BYTES, 0);
        byAnother(() -> {
            pool.giveBack(chunk);
            return null;
        });
        assertEquals(0, pool.inUse());
        assertSame(chunk, pool.take(CHUNK_BYTES, 0));
        Chunk foreign = byAnother(() -> pool.take(CHUNK_BYTES, 0));
        pool.giveBack(foreign);
        assertEquals(1, pool.inUse());
        assertEquals(1, byAnother(pool::inUse));
    }

    @Test
    void chunksBeyondTheOwnersBoundServeOtherThreads() throws Exception {
        List<Chunk> taken = new ArrayList<>();
        for (int i = 0; i < ChunkPool.OWN_IDLE_MAX + 1; i++) {
            taken.add(pool.take(CHUNK_BYTES, 0));
        }
        taken.forEach(pool::giveBack);
        assertEquals(0, pool.inUse());
        assertSame(taken.get(ChunkPool.OWN_IDLE_MAX), byAnother(() -> pool.take(CHUNK_BYTES, 0)));
    }

    @Test
    void thereIsOneOwner() throws Exception {
        pool.ownedByCaller();
        ExecutionException refused = assertThrows(
                ExecutionException.class,
                () -> byAnother(() -> {
                    pool.ownedByCaller();
                    return null;
                }));
        assertEquals(IllegalStateException.class, refused.getCause().getClass());
    }

    /** The owner takes and another gives back, and the other way round: each chunk has one user, and none is lost or made twice. */
    @Test
    void chunksGoBackAndForth() throws Exception {
        int rounds = 20_000;
        SynchronousQueue<Chunk> there = new SynchronousQueue<>();
        Set<Chunk> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        TestThread other = TestThread.start("other", () -> {
            for (int i = 0; i < rounds; i++) {
                pool.giveBack(there.take());
                pool.giveBack(pool.take(CHUNK_BYTES, 0));
            }
        });
        for (int i = 0; i < rounds; i++) {
            Chunk mine = pool.take(CHUNK_BYTES, 0);
            Chunk given = pool.take(CHUNK_BYTES, 0);
            assertNotSame(mine, given);
            seen.add(mine);
            seen.add(given);
            while (!there.offer(given, 100, TimeUnit.MILLISECONDS)) {
                assertTrue(other.isAlive(), "the other thread has failed");
            }
            pool.giveBack(mine);
        }
        other.join();
        assertEquals(0, pool.inUse());
        assertTrue(seen.size() <= 4, "more chunks than were in use at once: " + seen.size());
    }

    @Test
    void chunkIsOfTheSmallestClassThatFits() {
        ChunkPool classes = new ChunkPool(16 << 10, buffer -> 0);
        for (int[] pair : new int[][] {{1, 512}, {512, 512}, {513, 1024}, {40_000, 64 << 10}, {65_537, 128 << 10}}) {
            assertEquals(pair[1], classes.take(pair[0], 0).bytes.capacity());
        }
    }

    @Test
    void connectionHasAQuarterOfWhatIsFreeOfThreeQuarters() {
        ChunkPool bounded = new ChunkPool(16 << 10, buffer -> 0);
        bounded.bound(1 << 20);
        assertEquals(192 << 10, bounded.shareBytes());
        assertNull(bounded.take(128 << 10, (64 << 10) + 1));
        Chunk first = bounded.take(128 << 10, 64 << 10);
        assertNotNull(first);
        assertEquals(160 << 10, bounded.shareBytes());
        assertNull(bounded.take(256 << 10, 0));
        assertNotNull(bounded.take(128 << 10, 0));
        assertEquals(2, bounded.refusedCount());
        assertEquals(256 << 10, bounded.usedBytes());
        bounded.giveBack(first);
        assertEquals(128 << 10, bounded.usedBytes());
    }

    /** Peers that do not read take three quarters at most, so that the part of a message finds room. */
    @Test
    void lastQuarterIsForConnectionsThatHoldLittle() {
        int boundBytes = 1 << 20;
        ChunkPool bounded = new ChunkPool(16 << 10, buffer -> 0);
        bounded.bound(boundBytes);
        for (int bytes = 64 << 10; bytes > ChunkPool.SMALL_BYTES; bytes /= 2) {
            while (bounded.take(bytes, 0) != null) {
                assertTrue(bounded.usedBytes() <= boundBytes * 3 / 4);
            }
        }
        assertTrue(bounded.shareBytes() < 2 * ChunkPool.SMALL_BYTES);
        int small = 0;
        while (bounded.take(512, ChunkPool.SMALL_BYTES - 512) != null) {
            assertTrue(small++ < boundBytes / 512, "chunks without a bound");
        }
        assertTrue(small >= boundBytes / 4 / 512 - 32, small + " small chunks");
        assertNull(bounded.take(512, ChunkPool.SMALL_BYTES - 511), "it holds more");
    }

    /** A burst of small chunks leaves its memory to large ones. */
    @Test
    void memoryOfOneClassServesAnother() {
        int boundBytes = 512 << 10;
        ChunkPool bounded = new ChunkPool(16 << 10, buffer -> 0);
        bounded.ownedByCaller();
        bounded.bound(boundBytes);
        List<Chunk> taken = new ArrayList<>();
        for (int bytes = 512; bytes <= 64 << 10; bytes *= 2) {
            for (Chunk chunk = bounded.take(bytes, 0); chunk != null; chunk = bounded.take(bytes, 0)) {
                taken.add(chunk);
            }
            assertTrue(bounded.usedBytes() >= boundBytes / 4, bytes + ": " + bounded.usedBytes());
            taken.forEach(bounded::giveBack);
            taken.clear();
            assertEquals(0, bounded.usedBytes());
        }
    }
}
