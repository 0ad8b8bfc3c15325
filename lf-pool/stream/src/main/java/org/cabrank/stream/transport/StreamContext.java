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

/** Shared state of the connections of a shard. Any thread. */
public final class StreamContext {
    private static final AtomicLong CONNECTION_IDS = new AtomicLong();

    private final HandleSet set;
    private final StreamLimits limits;
    private final ChunkPool chunks;

    /** Counts of all shards of the reactor; replaced when the shard joins a reactor. */
    private ReactorTotals totals;

    private SharedBytes.Part outboundOfReactor;

    private final Timers timers;
    private final ThreadLocal<ThreadBuffers> buffers;
    /** Buffers of the last thread, to avoid a thread-local. Racy on purpose: the buffers name their thread. */
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

    /** Sets all shards of the reactor, the number of this shard, and the common counters. Called once, before anything connects. */
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

    /** Returns this shard's part of the reactor's outbound bytes; null if there is no limit. */
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

    /** Begins or ends the grace of a drain, in which connections with nothing under way stay open for a request that is on its way. */
    public void drainGrace(boolean granted) {
        drainGrace = granted;
    }

    boolean grantsDrainGrace() {
        return drainGrace;
    }

    /** Called once, before anything connects: threads wait for connections by this clock. */
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

    /** Returns buffers of the calling thread that no outer callback of the thread uses. */
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

    /** Called once, before anything listens. Any thread notifies {@code listener} of the first failure that stops the shard. */
    public void whenFailed(Consumer<Throwable> listener) {
        failureListener = listener;
    }

    /** Sets the reason for which the remaining connections are reset. Called after the threads of the pool have ended. */
    public void failedWith(ReactorFailedException failure) {
        reactorFailure = failure;
    }

    ReactorFailedException reactorFailure() {
        return reactorFailure;
    }

    /** Ends the reactor, because this shard cannot continue, for instance because its listener is broken. Any thread. */
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
