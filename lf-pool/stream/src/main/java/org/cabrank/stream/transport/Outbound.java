package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The output of a connection that the socket has not taken. Small writes of the present callback are gathered in a buffer of the thread.
 * Other bytes are in the queue, which the {@link Transmitter} sends. Used by the claim holder. Any thread may call {@link #queuedBytes}.
 */
public class Outbound {
    /** Writes of at least this size are not gathered, because a copy would cost more than it saves. */
    private static final int GATHERED_MAX = 8 << 10;

    /** One read takes at most this part of the connection's share of memory. Reading pauses while the queue takes more. */
    private static final int SHARE_WATERMARK = 8;

    static final int FILE_RANGES_MAX = 1_024;

    /** Maximum number of bytes of files that are sent before other connections have their turn. */
    private static final int FILE_BYTES_MAX = 1 << 20;

    private static final AtomicIntegerFieldUpdater<Outbound> FILE_RANGES =
            AtomicIntegerFieldUpdater.newUpdater(Outbound.class, "fileRanges");

    private static final long NONE_REFUSED = Long.MAX_VALUE;

    /** Used in place of the size of a refused write that needs an empty queue. */
    static final int UNTIL_EMPTY = Integer.MAX_VALUE;

    private StreamContext context;
    private final Transmitter transmitter;
    private OutboundQueue queue;

    private ThreadBuffers buffers;

    private StreamConnection connection;
    private volatile int fileRanges;
    private boolean entered;
    private IOException failure;

    boolean shutWanted;

    /** True if bytes were dropped because they were written after a close, after the end of the output or after a failed send. */
    boolean dropped;

    /** True if a send has failed. The connection then ends when its input is delivered or when a time limit of the close expires. */
    boolean lost;

    private boolean progressed;
    private boolean passedHighWatermark;

    private long taken;

    /** The refused write fits when the queue has at most this length. {@link #NONE_REFUSED} if no write was refused. */
    private long roomForRefusedAt = NONE_REFUSED;

    /** Size of the largest refused write that also needs room in the limit of the reactor. 0 if there is none. */
    private int refusedByReactor;

    /** True if the reactor has offered room for the refused write. When the room is used or given up, other waiters are called. */
    private boolean calledByReactor;

    /** Bytes for which this callback was promised room ({@link #requireRoom}). The limit of the reactor does not refuse them. */
    private int promised;

    public Outbound(StreamContext context, Transmitter transmitter) {
        this.context = context;
        this.transmitter = transmitter;
        this.queue = new OutboundQueue(context.chunks());
    }

    final void serve(StreamConnection served) {
        connection = served;
    }

    final void shut() {
        shutWanted = true;
    }

    final void drop(ByteBuffer data) {
        dropped |= data.hasRemaining();
        data.position(data.limit());
    }

    final void drop(FileRange range) {
        dropped |= range.left() > 0;
        range.release();
    }

    final void lose() {
        lost = true;
        dropped = true;
        discard();
    }

    final void enter(ThreadBuffers ofThread) {
        entered = true;
        goOnBy(ofThread);
        ofThread.gather.bytes().clear();
        promised = 0;
    }

    final void goOnBy(ThreadBuffers ofThread) {
        if (buffers != ofThread) { // a reference that is not stored costs no garbage collector barrier
            buffers = ofThread;
        }
    }

    final void leave() {
        entered = false;
    }

    final boolean isEntered() {
        return entered;
    }

    final IOException failure() {
        return failure;
    }

    final boolean progressed() {
        boolean answer = progressed;
        progressed = false;
        return answer;
    }

    final ByteBuffer received() {
        return buffers.receive.bytes;
    }

    final int gatheredBytes() {
        return buffers.gather.bytes().position();
    }

    final long queuedBytes() {
        return queue.bytes();
    }

    final long queuedFileBytes() {
        return queue.fileBytes();
    }

    final boolean isEmpty() {
        return queue.isEmpty();
    }

    final long taken() {
        return taken;
    }

    /** Number of bytes that were written so far, including bytes that the socket has not taken. Called in a callback. */
    final long written() {
        return taken + queue.bytes() + gatheredBytes();
    }

    /** Notes that {@code bytes} bytes wait for the socket, here or in mail. */
    final void noteQueued(long bytes) {
        passedHighWatermark |= bytes > context.limits().highWatermark();
    }

    /** Returns true if the queue has exceeded the high watermark since the last call, even if the bytes are sent by now. */
    final boolean passedHighWatermark() {
        boolean answer = passedHighWatermark;
        passedHighWatermark = false;
        return answer;
    }

    final boolean isAboveLowWatermark() {
        return queue.bytes() > context.limits().lowWatermark() || isScarce();
    }

    /** Returns true if bytes are queued and memory is scarce. Reading then pauses. A disconnected peer would only connect again. */
    final boolean isScarce() {
        return !queue.isEmpty()
                && (Math.max(ChunkPool.SMALL_BYTES, queue.memoryBytes())
                                > context.chunks().shareBytes() / SHARE_WATERMARK
                        || isReactorScarce());
    }

    private boolean isReactorScarce() {
        SharedBytes.Part ofReactor = context.outboundOfReactor();
        return ofReactor != null && ofReactor.whole().isScarce();
    }

    private boolean hasReactorRoom(long queued, long more) {
        SharedBytes.Part ofReactor = context.outboundOfReactor();
        return ofReactor == null || ofReactor.whole().hasRoom(queued, more);
    }

    /** Called by any thread. Counts mailed bytes. {@code bytes} is negative when bytes are no longer mailed. */
    final void countMailed(long bytes) {
        SharedBytes.Part ofReactor = context.outboundOfReactor();
        if (ofReactor != null) {
            ofReactor.add(bytes);
        }
    }

    /** Called by any thread. Returns true if the limit of the reactor allows a write behind {@code queued} queued bytes. */
    final boolean isReactorWritable(long queued) {
        return hasReactorRoom(queued + 1, 1);
    }

    /** Returns the number of bytes to receive at once. It is small while memory is scarce, so that there is memory for the answers. */
    final int portion(int most) {
        long share = context.chunks().unreadShareBytes() / SHARE_WATERMARK;
        return share >= most ? most : (int) Math.min(most, Math.max(ChunkPool.SMALL_BYTES, share));
    }

    /** Notes a refused write of {@code bytes} bytes. If {@code bytes} is {@link #UNTIL_EMPTY}, the write needs an empty queue. */
    final void noteRefused(int bytes) {
        if (bytes == UNTIL_EMPTY) {
            roomForRefusedAt = 0;
            return;
        }
        roomForRefusedAt = Math.min(
                roomForRefusedAt,
                Math.min(context.limits().lowWatermark(), context.limits().queueLimit() - bytes));
        if (!hasReactorRoom(queue.memoryBytes() + bytes, bytes)) {
            refusedByReactor = Math.max(refusedByReactor, bytes);
        }
    }

    final boolean awaitsRoom() {
        return roomForRefusedAt != NONE_REFUSED;
    }

    /** Returns true, once, if there is room for the refused write. If only the reactor has no room, {@code waiter} is called later. */
    final boolean hasRoomForRefused(SharedBytes.Waiter waiter) {
        if (!awaitsRoom() || queue.bytes() > roomForRefusedAt) {
            return false;
        }
        if (refusedByReactor != 0) {
            SharedBytes ofReactor = context.outboundOfReactor().whole();
            if (!ofReactor.hasRoomOrAwait(waiter, queue.memoryBytes() + refusedByReactor)) {
                return false;
            }
            refusedByReactor = 0;
            calledByReactor = true;
        }
        roomForRefusedAt = NONE_REFUSED;
        return true;
    }

    final void roomOffered() {
        if (calledByReactor) {
            calledByReactor = false;
            context.outboundOfReactor().whole().callWaiters();
        }
    }

    final void awaitNoRoom(SharedBytes.Waiter waiter) {
        if (refusedByReactor != 0 || calledByReactor) {
            context.outboundOfReactor().whole().forget(waiter);
        }
    }

    /**
     * Throws if the queue with {@code before} bytes that are not queued yet and {@code count} further bytes would exceed its limit. Also
     * throws if {@code more} is above 0 and the reactor has no room for so many bytes. Bytes of files do not count. Called by any thread.
     */
    final void requireRoom(long before, int count, long more) {
        long queueLimit = context.limits().queueLimit();
        long queued = queue.memoryBytes() + before;
        if (queued + count > queueLimit) {
            context.writeRefused();
            throw count > queueLimit
                    ? new WriteQueueFullException(
                            "a write of " + count + " bytes never fits into the queue: its limit is "
                                    + queueLimit
                                    + " bytes; write in pieces, or raise StreamLimits.queueLimit",
                            false)
                    : new WriteQueueFullException(
                            "the peer does not read: the queue of " + queued + " bytes would grow to "
                                    + (queued + count) + ", which is more than the limit of "
                                    + queueLimit
                                    + "; write again when writable is called",
                            true);
        }
        if (more > 0 && !hasReactorRoom(queued + count, more)) {
            throw reactorFull(count);
        }
    }

    private WriteQueueFullException reactorFull(int count) {
        SharedBytes ofReactor = context.outboundOfReactor().whole();
        context.writeRefused();
        ofReactor.noteRefused();
        return ofReactor.everHasRoom(count)
                ? new WriteQueueFullException(
                        "peers do not read: " + ofReactor.describe()
                                + " are queued in the reactor, which has no room for "
                                + count
                                + " more; write again when writable is called, or raise StreamLimits.outboundMax",
                        true)
                : new WriteQueueFullException(
                        "a write of " + count
                                + " bytes cannot rely on room in the reactor, whose connections may queue "
                                + ofReactor.max()
                                + "; write in pieces of an eighth at most, or raise StreamLimits.outboundMax",
                        false);
    }

    /** Consumes {@code data}. If it throws, no byte is consumed. */
    final void write(ByteBuffer data) {
        requireRoom(0, data.remaining(), false);
        writeUnbounded(data);
    }

    final void write(ByteBuffer head, ByteBuffer body) {
        requireRoom(0, Math.addExact(head.remaining(), body.remaining()), false);
        writeUnbounded(head);
        writeUnbounded(body);
    }

    /**
     * Throws if {@code count} bytes cannot be queued; the service is then notified when they can. {@code mailed} counts the bytes of this
     * callback that are mail. With {@code promises}, room is kept for a write that follows in this callback. Called in a callback.
     */
    final void requireRoom(int mailed, int count, boolean promises) {
        boolean isPromised = count <= promised;
        long before = gatheredBytes() + (long) mailed;
        try {
            requireRoom(before, count, isPromised ? 0 : before + count);
        } catch (WriteQueueFullException full) {
            if (full.mayRetry()) {
                noteRefused(count);
            }
            throw full;
        }
        if (!promises) {
            promised -= isPromised ? count : promised;
        } else if (context.outboundOfReactor() != null) {
            promised = Math.max(promised, count);
        }
    }

    final void countFileRange(FileRange range) {
        if (FILE_RANGES.getAndIncrement(this) >= FILE_RANGES_MAX) {
            giveBackFileRange();
            context.writeRefused();
            throw new WriteQueueFullException(
                    "the peer does not read: " + FILE_RANGES_MAX
                            + " ranges of files wait to be sent, which is the limit; send again when writable is called",
                    true);
        }
        range.countedBy(this);
    }

    final void giveBackFileRange() {
        FILE_RANGES.decrementAndGet(this);
    }

    /** Sends a counted range after earlier writes. Releases the range when it was sent or if it cannot be sent. */
    final void sendFile(FileRange range) {
        boolean queued = false;
        try {
            StackRoom.require();
            flushGathered();
            if (failure == null && range.left() > 0) {
                queue.append(range);
                queued = true;
            }
        } finally {
            if (!queued) {
                range.release();
            }
        }
        if (queued) {
            noteQueued(queue.bytes());
            flushQueue();
        }
    }

    /** As {@link #write}, but without limits. The bytes use up a promise of room. */
    final void writeEncoded(ByteBuffer data) {
        promised -= Math.min(promised, data.remaining());
        writeUnbounded(data);
    }

    /** As {@link #write}, but room was checked before the bytes were mailed. {@code mailed} includes these bytes. */
    final void writeMailed(ByteBuffer data, long mailed) {
        noteQueued(queue.bytes() + mailed);
        writeUnbounded(data);
    }

    /** As {@link #write}, but without a check for room and with descriptors. This object owns the batch from now on. */
    final void write(ByteBuffer data, DescriptorBatch batch, OutboundDescriptors descriptors) {
        boolean noted = false;
        try {
            StackRoom.require(); // otherwise the batch could be noted without its bytes
            flushGathered();
            descriptors.add(batch, queue.bytes());
            noted = true;
        } finally {
            if (!noted) {
                batch.close();
            }
        }
        transmit(data);
    }

    private void writeUnbounded(ByteBuffer data) {
        int count = data.remaining();
        if (queue.isEmpty() && count < GATHERED_MAX) {
            GatherBuffer gather = buffers.gather;
            if (count <= gather.bytes().remaining() || gather.makeRoom(count)) {
                gather.bytes().put(data);
                return;
            }
        }
        StackRoom.require(); // a half-made request would be awaited at the close of the connection
        flushGathered();
        transmit(data);
    }

    void transmit(ByteBuffer data) {
        progressed |= failure == null && data.hasRemaining() && queue.isEmpty(); // a request begins: progress
        if (append(data)) {
            flushQueue(); // the end of a request may be unreported, because the handle is detained
        }
    }

    final boolean append(ByteBuffer data) {
        if (failure != null || !data.hasRemaining()) {
            data.position(data.limit());
            return false;
        }
        try {
            queue.append(data);
        } catch (ShardMemoryException none) {
            failure = none;
            data.position(data.limit());
            return false;
        }
        noteQueued(queue.bytes());
        return true;
    }

    void flushGathered() {
        ByteBuffer gather = gathered();
        int count = gather.position();
        if (count == 0) {
            return;
        }
        noteQueued(count);
        if (takesBytes() && buffers.gather.handOver(queue)) {
            progressed = true; // a request begins
            flushQueue();
            return;
        }
        transmit(gather.flip());
        buffers.gather.prepareFor(count);
    }

    final ByteBuffer gathered() {
        return buffers.gather.bytes();
    }

    final ThreadBuffers buffers() {
        return buffers;
    }

    final long addressOf(ByteBuffer direct) {
        return direct == buffers.receive.bytes
                ? buffers.receive.address
                : context.chunks().addressOf(direct);
    }

    /** Called when the socket has room again, or a send request has ended. */
    final void flushQueue() {
        int ofFiles = 0;
        while (!queue.isEmpty() && failure == null) {
            boolean isFile = queue.headFile() != null;
            int sent = sendQueued();
            if (sent == 0) {
                return;
            }
            queue.sent(sent);
            if (isFile) {
                ofFiles += sent;
                if (ofFiles >= FILE_BYTES_MAX) {
                    connection.handle().post(Ready.WRITE); // the socket may have room without reporting it again
                    return;
                }
            }
        }
    }

    final void flush() {
        StackRoom.require();
        flushGathered();
        if (!queue.isEmpty()) {
            transmitter.submit();
        }
    }

    final boolean takesBytes() {
        return queue.isEmpty() && failure == null;
    }

    final void fail(IOException broken) {
        failure = broken;
    }

    private int sendQueued() {
        try {
            if (queue.headFile() != null && !transmitter.sendsFiles()) {
                queue.load();
            }
            int sent = transmitter.sendQueued(queue);
            noteSent(sent);
            return sent;
        } catch (IOException broken) {
            failure = broken;
            return 0;
        }
    }

    final void noteSent(int bytes) {
        if (bytes > 0) {
            progressed = true;
            taken += bytes;
            buffers.noteSent(bytes);
        }
    }

    /** Notes that the socket has taken {@code count} bytes. If bytes remain or the output has failed, returns false and changes nothing. */
    final boolean tookAll(int count) {
        if (queue.bytes() != count || failure != null) {
            return false;
        }
        queue.sent(count);
        taken += count;
        buffers.noteSent(count);
        return true;
    }

    /** Called only while nothing is queued. */
    final void moveTo(StreamContext other) {
        context = other;
        queue = new OutboundQueue(context.chunks());
    }

    /** Returns the queue of unsent bytes. The caller then owns the queue and its memory. */
    final OutboundQueue takeQueue() {
        OutboundQueue taken = queue;
        queue = new OutboundQueue(context.chunks());
        return taken;
    }

    final void discard() {
        queue.discard();
        if (entered) {
            buffers.gather.bytes().clear();
        }
    }
}
