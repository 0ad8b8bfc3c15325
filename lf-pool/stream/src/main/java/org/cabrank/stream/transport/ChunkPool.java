package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.cabrank.stream.ShardMemoryException;

/**
 * Chunks of memory for unread and outbound bytes of a shard's connections. Sizes are powers of two, from 512 B. Any thread may use it.
 *
 * <p>The pool bounds the bytes of all chunks in use. The last quarter of the bound is only for connections that hold at most {@link
 * #SMALL_BYTES}, so that there is room for short messages even if many peers do not read. Each other connection may hold a quarter of the
 * free part of the rest. So the connections that hold the most are refused first. {@link SharedBytes} also limits the whole reactor.
 *
 * <p>A thread that does nearly all the work of a shard is the owner of the pool. It takes and returns chunks without the lock.
 */
public final class ChunkPool {
    static final int OWN_IDLE_MAX = 64;

    private static final int OWN_IDLE_BYTES_MAX = 1 << 20;

    private static final int SMALLEST_BYTES = 512;

    private static final int LARGEST_BYTES = 1 << 30; // the next power of two is too large for an array

    private static final int SHARE_OF_FREE = 4;

    static final int SMALL_BYTES = 4 << 10;

    private static final int PART_FOR_SMALL = 4;

    private static final AtomicIntegerFieldUpdater<ChunkPool> OWN_IN_USE =
            AtomicIntegerFieldUpdater.newUpdater(ChunkPool.class, "ownInUse");
    private static final AtomicLongFieldUpdater<ChunkPool> OWN_BYTES =
            AtomicLongFieldUpdater.newUpdater(ChunkPool.class, "ownBytes");
    private static final AtomicLongFieldUpdater<ChunkPool> OWN_OUTBOUND_BYTES =
            AtomicLongFieldUpdater.newUpdater(ChunkPool.class, "ownOutboundBytes");

    private final int chunkBytes;
    private final int smallestBytes;
    private final ToLongFunction<ByteBuffer> addressOf;
    private final LongAdder refused = new LongAdder();
    private volatile long boundBytes = Long.MAX_VALUE;

    /** Null if the reactor has no limit for outbound or unread bytes. Set before the pool is used. */
    private SharedBytes.Part outboundOfReactor;

    private SharedBytes.Part unreadOfReactor;

    // Guarded by the lock.

    private final Slabs slabs;
    private int inUse;

    private long usedBytes;

    private long outboundBytes;

    /** Null if there is no owner. Read without the lock, because each thread only checks if it is the owner. */
    private Thread owner;

    private final Chunk[] ownIdle;
    private final int[] ownIdleCount;

    /** Chunks that the owner has taken, less those that it has given back. Negative if it has given back chunks of other threads. */
    private volatile int ownInUse;

    private volatile long ownBytes;
    private volatile long ownOutboundBytes;

    public ChunkPool(int chunkBytes, ToLongFunction<ByteBuffer> addressOf) {
        if (Integer.bitCount(chunkBytes) != 1) {
            throw new IllegalArgumentException("chunkBytes must be a power of two, but is " + chunkBytes);
        }
        this.chunkBytes = chunkBytes;
        this.smallestBytes = Math.min(SMALLEST_BYTES, chunkBytes);
        this.addressOf = addressOf;
        int classes = sizeClass(LARGEST_BYTES) + 1;
        this.slabs = new Slabs(this, classes, addressOf);
        this.ownIdle = new Chunk[classes];
        this.ownIdleCount = new int[classes];
    }

    /** Sets the bound of bytes in use. Without a call there is no bound. */
    public void bound(long bytes) {
        boundBytes = bytes;
    }

    void countIn(SharedBytes.Part outbound, SharedBytes.Part unread) {
        outboundOfReactor = outbound;
        unreadOfReactor = unread;
    }

    public long boundBytes() {
        return boundBytes;
    }

    public long usedBytes() {
        return usedBytes + ownBytes;
    }

    public long outboundBytes() {
        return outboundBytes + ownOutboundBytes;
    }

    long unreadShareBytes() {
        return unreadOfReactor == null
                ? shareBytes()
                : Math.min(shareBytes(), unreadOfReactor.whole().shareBytes());
    }

    /** Number of bytes that a connection with more than {@link #SMALL_BYTES} may hold now. */
    public long shareBytes() {
        long bound = boundBytes;
        return (bound - bound / PART_FOR_SMALL - usedBytes()) / SHARE_OF_FREE;
    }

    private boolean mayHold(long bytes) {
        long share = bytes > SMALL_BYTES ? shareBytes() : (boundBytes - usedBytes()) / SHARE_OF_FREE;
        return bytes <= share;
    }

    /** Chunks refused since the start, because of the bound or because the JVM had no direct memory. */
    public long refusedCount() {
        return refused.sum();
    }

    public synchronized void ownedByCaller() {
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException("these chunks are " + owner + "'s");
        }
        owner = Thread.currentThread();
    }

    /**
     * Takes a chunk of at least {@code bytes} for unread bytes of a connection that already holds {@code held} bytes. Returns null, and
     * counts a refusal, if the connection would exceed its part of the bound or of the reactor's limit, or if the JVM has no direct memory.
     */
    public Chunk take(int bytes, long held) {
        SharedBytes.Part ofReactor = unreadOfReactor;
        if (ofReactor != null && !ofReactor.whole().mayHold(held + (long) bytes)) {
            ofReactor.whole().noteRefused();
            refused.increment();
            return null;
        }
        return take(bytes, held, false);
    }

    /** As {@link #take(int, long)}, but for outbound bytes, whose limit in the reactor was checked when they were written. */
    Chunk takeOutbound(int bytes, long held) {
        return take(bytes, held, true);
    }

    private Chunk take(int bytes, long held, boolean outbound) {
        int sizeClass = sizeClass(bytes);
        if (bytes > LARGEST_BYTES || !mayHold(held + classBytes(sizeClass))) {
            refused.increment();
            return null;
        }
        Chunk chunk = Thread.currentThread() == owner ? takeOwn(sizeClass, outbound) : takeCounted(sizeClass, outbound);
        if (chunk == null) {
            refused.increment();
            return null;
        }
        chunk.outbound = outbound;
        countInReactor(outbound, classBytes(sizeClass));
        return chunk;
    }

    private void countInReactor(boolean outbound, int bytes) {
        SharedBytes.Part ofReactor = outbound ? outboundOfReactor : unreadOfReactor;
        if (ofReactor != null) {
            ofReactor.add(bytes);
        }
    }

    /** Returns the failure of a connection for which there is no memory. The message begins with {@code what}. */
    public ShardMemoryException exhausted(String what) {
        SharedBytes.Part ofReactor = unreadOfReactor;
        boolean unreadFull = ofReactor != null && ofReactor.whole().refusedCount() > 0;
        return new ShardMemoryException(what + ": " + usedBytes() + " of " + boundBytes()
                + " bytes are in use in this shard, or the JVM has no direct memory"
                + (unreadFull ? ", and " + ofReactor.whole().describe() + " are unread in the reactor" : "")
                + "; raise StreamLimits.shardMemory" + (unreadFull ? ", StreamLimits.unreadMax" : "")
                + " and -XX:MaxDirectMemorySize");
    }

    /** Takes a chunk that may not be needed. It is not counted before {@link #exchange}. Returns null if there is no direct memory. */
    Chunk setAside(int bytes) {
        int sizeClass = sizeClass(bytes);
        return Thread.currentThread() == owner ? takeOwnAside(sizeClass) : takeShared(sizeClass);
    }

    /**
     * Gives a chunk that was set aside to the outbound queue of a connection that holds nothing else. Sets aside and returns another
     * chunk of the same size. Returns null and changes nothing if the bound or the direct memory is exhausted.
     */
    Chunk exchange(Chunk filled) {
        Slabs.Slab slab = filled.slab;
        if (!mayHold(slab.chunkBytes)) {
            return null;
        }
        Chunk empty =
                Thread.currentThread() == owner ? takeOwn(slab.sizeClass, true) : takeCounted(slab.sizeClass, true);
        if (empty != null) {
            filled.outbound = true;
            countInReactor(true, slab.chunkBytes);
        }
        return empty;
    }

    int sizeClass(int bytes) {
        return bytes <= smallestBytes ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros((bytes - 1) / smallestBytes);
    }

    private int classBytes(int sizeClass) {
        return smallestBytes << sizeClass;
    }

    private Chunk takeOwn(int sizeClass, boolean outbound) {
        Chunk chunk = takeOwnAside(sizeClass);
        if (chunk != null) {
            countOwn(1, classBytes(sizeClass), outbound);
        }
        return chunk;
    }

    private synchronized Chunk takeCounted(int sizeClass, boolean outbound) {
        Chunk chunk = takeShared(sizeClass);
        if (chunk != null) {
            count(1, classBytes(sizeClass), outbound);
        }
        return chunk;
    }

    private Chunk takeOwnAside(int sizeClass) {
        Chunk chunk = ownIdle[sizeClass];
        if (chunk == null) {
            return takeShared(sizeClass);
        }
        ownIdle[sizeClass] = chunk.next;
        ownIdleCount[sizeClass]--;
        chunk.next = null;
        return chunk;
    }

    private void countOwn(int chunks, int bytes, boolean outbound) {
        OWN_IN_USE.lazySet(this, ownInUse + chunks);
        OWN_BYTES.lazySet(this, ownBytes + bytes);
        if (outbound) {
            OWN_OUTBOUND_BYTES.lazySet(this, ownOutboundBytes + bytes);
        }
    }

    private void count(int chunks, int bytes, boolean outbound) {
        inUse += chunks;
        usedBytes += bytes;
        outboundBytes += outbound ? bytes : 0;
    }

    private synchronized Chunk takeShared(int sizeClass) {
        return slabs.take(sizeClass, classBytes(sizeClass));
    }

    boolean giveUpIdleOfCaller() {
        if (Thread.currentThread() != owner) {
            return false;
        }
        for (int sizeClass = 0; sizeClass < ownIdle.length; sizeClass++) {
            while (ownIdle[sizeClass] != null) {
                Chunk chunk = ownIdle[sizeClass];
                ownIdle[sizeClass] = chunk.next;
                giveBackShared(chunk);
            }
            ownIdleCount[sizeClass] = 0;
        }
        return true;
    }

    /** Returns a chunk to the pool that it is from, which may be another pool. */
    public void giveBack(Chunk chunk) {
        ChunkPool home = chunk.slab.pool;
        boolean outbound = chunk.outbound; // read before another thread can take the free chunk
        int bytes = chunk.slab.chunkBytes;
        chunk.bytes.clear();
        if (home.owner == Thread.currentThread()) {
            home.giveBackOwn(chunk);
        } else {
            home.giveBackCounted(chunk);
        }
        home.countInReactor(outbound, -bytes);
    }

    private void giveBackOwn(Chunk chunk) {
        Slabs.Slab slab = chunk.slab;
        countOwn(-1, -slab.chunkBytes, chunk.outbound);
        int count = ownIdleCount[slab.sizeClass];
        if (count == OWN_IDLE_MAX || (long) count * slab.chunkBytes >= OWN_IDLE_BYTES_MAX) {
            giveBackShared(chunk);
            return;
        }
        chunk.next = ownIdle[slab.sizeClass];
        ownIdle[slab.sizeClass] = chunk;
        ownIdleCount[slab.sizeClass]++;
    }

    private synchronized void giveBackCounted(Chunk chunk) {
        count(-1, -chunk.slab.chunkBytes, chunk.outbound);
        giveBackShared(chunk);
    }

    private synchronized void giveBackShared(Chunk chunk) {
        slabs.giveBack(chunk);
    }

    /** Never uses the chunk or its slab again, because some code may still use the memory. */
    public void forget(Chunk chunk) {
        ChunkPool home = chunk.slab.pool;
        home.forgetOwn(chunk);
        home.countInReactor(chunk.outbound, -chunk.slab.chunkBytes);
    }

    private synchronized void forgetOwn(Chunk chunk) {
        count(-1, -chunk.slab.chunkBytes, chunk.outbound);
        slabs.retire(chunk.slab);
    }

    /** Returns a new chunk of any size. It is not counted and never given back. Throws {@link OutOfMemoryError}. */
    public Chunk allocate(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
        return new Chunk(memory, addressOf.applyAsLong(memory), null);
    }

    public int chunkBytes() {
        return chunkBytes;
    }

    public long addressOf(ByteBuffer direct) {
        return addressOf.applyAsLong(direct);
    }

    public synchronized int inUse() {
        return inUse + ownInUse;
    }
}
