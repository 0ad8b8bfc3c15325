package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The output of a connection that the socket has not taken: small writes of the present callback, gathered in the thread's buffer, and the
 * queue, which the {@link Transmitter} sends from. Accessed by the claim holder, except {@link #queuedBytes}.
 */
public class Outbound {
    /** Size from which bytes are sent in place, because a copy would cost more than it saves. */
    private static final int GATHERED_MAX = 8 << 10;

    /** Divisor: a read takes 1 / this of a connection's share, and a longer queue pauses reading, so answers to a read find memory. */
    private static final int SHARE_WATERMARK = 8;

    /** Maximum number of a connection's waiting file ranges, so that they cost little memory. */
    static final int FILE_RANGES_MAX = 1_024;

    /** Maximum bytes of files that are sent in one go, before other connections have their turn. */
    private static final int FILE_BYTES_MAX = 1 << 20;

    private static final AtomicIntegerFieldUpdater<Outbound> FILE_RANGES =
            AtomicIntegerFieldUpdater.newUpdater(Outbound.class, "fileRanges");

    private static final long NONE_REFUSED = Long.MAX_VALUE;

    /** Stands for the size of a refused write that needs an empty queue. */
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

    /** True if bytes were dropped because they were written after a close, the end of the output or its loss. */
    boolean dropped;

    /** True if a send has failed. The connection lasts until its input is delivered, or a time limit of the close expires. */
    boolean lost;

    private boolean progressed;
    private boolean passedHighWatermark;

    /** Bytes that the socket has taken since the connection began. */
    private long taken;

    /** Queue length at which the refused write fits; {@link #NONE_REFUSED} if none was refused. */
    private long roomForRefusedAt = NONE_REFUSED;

    /** Size of the largest refused write that also waits for room in the reactor; 0 if there is none. */
    private int refusedByReactor;

    /** True if the reactor has offered room for that write. Other waiters are called after this connection has used it or given it up. */
    private boolean calledByReactor;

    /** Bytes of this callback with a promise of room ({@link #requireRoom}): the reactor's limit does not refuse them. */
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

    /** In a callback. Returns the bytes written since the connection began, whether or not the socket has taken them. */
    final long written() {
        return taken + queue.bytes() + gatheredBytes();
    }

    /** Counts bytes that wait for the socket, here or in mail. */
    final void noteQueued(long bytes) {
        passedHighWatermark |= bytes > context.limits().highWatermark();
    }

    /** Returns true if the queue has exceeded the high watermark since the last call, even if it was sent: a writer may wait. */
    final boolean passedHighWatermark() {
        boolean answer = passedHighWatermark;
        passedHighWatermark = false;
        return answer;
    }

    final boolean isAboveLowWatermark() {
        return queue.bytes() > context.limits().lowWatermark() || isScarce();
    }

    /**
     * Returns true if something is queued and memory is scarce. A peer that does not read would be closed for lack of memory, reconnect,
     * and keep the shard busy: a pause of reading costs only its memory.
     */
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

    /** Any thread. */
    private boolean hasReactorRoom(long queued, long more) {
        SharedBytes.Part ofReactor = context.outboundOfReactor();
        return ofReactor == null || ofReactor.whole().hasRoom(queued, more);
    }

    /** Any thread. Counts bytes of other threads or of a decorator that are mailed; negative when they no longer are. */
    final void countMailed(long bytes) {
        SharedBytes.Part ofReactor = context.outboundOfReactor();
        if (ofReactor != null) {
            ofReactor.add(bytes);
        }
    }

    /** Any thread. Returns true if the reactor's limit lets a connection with so many queued bytes write. */
    final boolean isReactorWritable(long queued) {
        return hasReactorRoom(queued + 1, 1);
    }

    /** Returns the number of bytes to receive at once: few if memory for answers is scarce, but not so few that they could be refused. */
    final int portion(int most) {
        long share = context.chunks().unreadShareBytes() / SHARE_WATERMARK;
        return share >= most ? most : (int) Math.min(most, Math.max(ChunkPool.SMALL_BYTES, share));
    }

    /** Notes a refused write of {@code bytes} bytes, which fit into an empty queue; {@link #UNTIL_EMPTY}: it needs an empty queue. */
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

    /** Returns true once if a refused write has room now. Otherwise {@code waiter} is called when the reactor may have room. */
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
     * Any thread. Throws if the queue would exceed its limit, with {@code before} bytes that precede the write and are not queued yet. The
     * reactor must have room for {@code more} bytes; 0: checked before. Bytes of files use no memory and do not count.
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

    /** Consumes {@code data}, or throws and consumes nothing. */
    final void write(ByteBuffer data) {
        requireRoom(0, data.remaining(), false);
        writeUnbounded(data);
    }

    /** Consumes both, or throws and consumes nothing. */
    final void write(ByteBuffer head, ByteBuffer body) {
        requireRoom(0, Math.addExact(head.remaining(), body.remaining()), false);
        writeUnbounded(head);
        writeUnbounded(body);
    }

    /**
     * In a callback that has written {@code mailed} bytes by mail. Throws if so many bytes cannot be queued, and notifies the service when
     * they can. With {@code promises} the write follows later, and its room in the reactor stays reserved for this callback.
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

    /** Sends a counted range after earlier writes. Releases the range after it was sent, or if it cannot be sent. */
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

    /** {@link #write} for bytes that no limit refuses. Subtracts them from a promise of room. */
    final void writeEncoded(ByteBuffer data) {
        promised -= Math.min(promised, data.remaining());
        writeUnbounded(data);
    }

    /** {@link #write} for bytes whose room was required before, when {@code mailed} bytes including these were mailed. */
    final void writeMailed(ByteBuffer data, long mailed) {
        noteQueued(queue.bytes() + mailed);
        writeUnbounded(data);
    }

    /** {@link #write}, without a check of room, with descriptors for the first byte. The batch belongs to this object from now on. */
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

    /** Sends gathered bytes; bytes that the socket does not take are queued. */
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

    /** Called when the socket has taken {@code count} bytes. Returns true if the queue is empty now; otherwise nothing was changed. */
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

    /** Returns the unsent bytes with their memory, which belong to the caller from now on. */
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
