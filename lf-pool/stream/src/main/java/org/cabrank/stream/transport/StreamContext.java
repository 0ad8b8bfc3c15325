package org.cabrank.stream.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.UnreadLimitException;

/** Shared state of the connections of a shard. Any thread may use it. */
public final class StreamContext {
    private static final AtomicLong CONNECTION_IDS = new AtomicLong();

    private final HandleSet set;
    private final StreamLimits limits;
    private final ChunkPool chunks;

    /** Counts that all shards of the reactor share. Replaced when the shard joins a reactor. */
    private ReactorTotals totals;

    private SharedBytes.Part outboundOfReactor;

    private final Timers timers;
    private final ThreadLocal<ThreadBuffers> buffers;
    /** Buffers of the thread that last used this shard. The race is harmless, because {@code threadId} is checked. */
    private ThreadBuffers recent;

    private final ShardTraffic traffic = new ShardTraffic();
    private final LongAdder[] counts =
            Stream.generate(LongAdder::new).limit(StreamCount.values().length).toArray(LongAdder[]::new);

    private volatile boolean drainGrace;
    private volatile WaitClock waitClock = WaitClock.SYSTEM;
    private volatile ReactorFailedException reactorFailure;
    private volatile Consumer<Throwable> failureListener = cause -> {};
    private List<StreamShard> ofReactor = List.of();
    private int shard;

    public StreamContext(HandleSet set, StreamLimits limits, ChunkPool chunks) {
        this.set = set;
        this.limits = limits;
        this.chunks = chunks;
        shareTotals(new ReactorTotals(limits, limits.connectionsMax(), 1));
        this.timers = new Timers(set);
        this.buffers =
                ThreadLocal.withInitial(() -> new ThreadBuffers(chunks, limits.receiveBuffer(), traffic.begin()));
    }

    /** Sets the shards of the reactor, the number of this shard, and the common counts. Called once, before any connection exists. */
    public void join(List<? extends StreamShard> shards, int number, ReactorTotals ofAll) {
        ofReactor = List.copyOf(shards);
        shard = number;
        chunks.bound(limits.shardMemory(shards.size()));
        shareTotals(ofAll);
    }

    private void shareTotals(ReactorTotals ofAll) {
        totals = ofAll;
        outboundOfReactor = ofAll.partOfOutbound();
        chunks.countIn(outboundOfReactor, ofAll.partOfUnread());
    }

    public ReactorTotals totals() {
        return totals;
    }

    /** Returns this shard's part of the reactor's count of outbound bytes. Returns null if there is no limit. */
    SharedBytes.Part outboundOfReactor() {
        return outboundOfReactor;
    }

    StreamShard shardOfReactor(int number) {
        if (number < 0 || number >= ofReactor.size()) {
            throw new IllegalArgumentException(
                    "there are " + ofReactor.size() + " shards, from 0, but none is " + number);
        }
        return ofReactor.get(number);
    }

    /** Begins or ends the grace time of a drain. In this time idle connections stay open, because a request may already be on its way. */
    public void drainGrace(boolean granted) {
        drainGrace = granted;
    }

    boolean grantsDrainGrace() {
        return drainGrace;
    }

    /** Sets the clock of threads that wait for connections. Called once, before any connection exists. */
    public void waitBy(WaitClock clock) {
        waitClock = clock;
    }

    public WaitClock waitClock() {
        return waitClock;
    }

    public int shard() {
        return shard;
    }

    static long nextConnectionId() {
        return CONNECTION_IDS.incrementAndGet();
    }

    public StreamLimits limits() {
        return limits;
    }

    public ChunkPool chunks() {
        return chunks;
    }

    /** Returns buffers of the calling thread. An outer callback of this thread that waits for a reply uses other buffers. */
    public ThreadBuffers buffers() {
        ThreadBuffers seen = recent;
        return seen != null && seen.threadId == Thread.currentThread().getId() && !seen.inUse ? seen : lookUpBuffers();
    }

    private ThreadBuffers lookUpBuffers() {
        ThreadBuffers own = buffers.get().free();
        recent = own;
        return own;
    }

    Timers timers() {
        return timers;
    }

    long nanoTime() {
        return set.nanoTime();
    }

    void writeRefused() {
        set.noteQueueFull();
    }

    /** Sets the listener of failures that stop the shard. Any thread may call {@code listener}. Called once, before anything listens. */
    public void whenFailed(Consumer<Throwable> listener) {
        failureListener = listener;
    }

    /** Sets the failure because of which the remaining connections are reset. Called after the threads of the pool have ended. */
    public void failedWith(ReactorFailedException failure) {
        reactorFailure = failure;
    }

    ReactorFailedException reactorFailure() {
        return reactorFailure;
    }

    /** Reports that this shard cannot continue, for example because its listener is broken, and ends the reactor. Called by any thread. */
    public void fail(Throwable cause) {
        failureListener.accept(cause);
    }

    public void count(StreamCount what) {
        counts[what.ordinal()].increment();
    }

    public long sum(StreamCount what) {
        return counts[what.ordinal()].sum();
    }

    void countEnd(Throwable cause) {
        if (cause instanceof IdleTimeoutException) {
            count(StreamCount.IDLE);
        } else if (cause instanceof DeadlineException) {
            count(StreamCount.DEADLINE_PASSED);
        } else if (cause instanceof UnreadLimitException) {
            count(StreamCount.UNREAD_LIMIT);
        } else if (cause instanceof ShardMemoryException) {
            count(StreamCount.NO_MEMORY);
        }
    }

    public long standingCount() {
        long gone = sum(StreamCount.CLOSED) + sum(StreamCount.MOVED_OUT); // read first: never negative
        return sum(StreamCount.OPENED) + sum(StreamCount.MOVED_IN) - gone;
    }

    public long guestCount() {
        long gone = sum(StreamCount.GUEST_CLOSED); // first, as above
        return sum(StreamCount.GUEST_OPENED) - gone;
    }

    public ShardCounters counters() {
        return new ShardCounters(
                shard,
                standingCount() + guestCount(),
                sum(StreamCount.OPENED) + sum(StreamCount.GUEST_OPENED),
                sum(StreamCount.CLOSED) + sum(StreamCount.GUEST_CLOSED),
                sum(StreamCount.MOVED_IN),
                sum(StreamCount.MOVED_OUT),
                sum(StreamCount.PASSED_BY),
                set.detectedCount(),
                traffic.received(),
                traffic.sent(),
                sum(StreamCount.ACCEPT_FAILED),
                sum(StreamCount.REFUSED),
                chunks.usedBytes(),
                chunks.boundBytes(),
                chunks.refusedCount());
    }
}
