package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;

/**
 * The writing end of a pipe, with a name or without, in a handle set: what the pipe does not take at once is queued, and
 * written by the pool's threads when the reader has made room.
 *
 * <p>What one {@link #write} is given is one record, and is passed to the kernel by itself. Up to 4096 bytes (PIPE_BUF)
 * it arrives in one piece, even when other processes write to the same pipe; a longer one may be interleaved with theirs
 * (pipe(7)). The SIGPIPE that a pipe without a reader raises is caught by the JVM.
 */
public final class PipeSink extends Endpoint {
    private final SinkHandler handler;

    /** This field and the next ones are guarded by the {@link #lock}. */
    private final RecordQueue queue;

    private final long queueAddress;
    private final int recordBytesMax;
    private long refused;

    /** True if bytes were refused since the queue was last empty. */
    private boolean roomWanted;

    /** True if no more bytes are taken, and the sink is closed as soon as the queue is empty. */
    private boolean finishing;

    /** The error that ended writing; null if there is none. */
    private IOException failure;

    private PipeSink(DescriptorSet set, int fd, int queueBytesMax, SinkHandler handler) {
        super(set, fd);
        this.handler = handler;
        this.queue = new RecordQueue(queueBytesMax);
        this.queueAddress = set.kernel().addressOf(queue.memory());
        this.recordBytesMax = queueBytesMax - RecordQueue.HEADER_BYTES;
    }

    /**
     * Any thread: writes to a descriptor that does not block, {@link Pipe#writeFd} for instance, and owns it from now on.
     *
     * @param queueBytesMax that wait at most, each record with 4 more; at least 8
     * @throws IllegalArgumentException for a descriptor that blocks; it is still the caller's then
     * @throws IOException when the kernel refuses to watch it, as {@link DescriptorSet#register} says; it is still the
     *     caller's then
     */
    public static PipeSink of(DescriptorSet set, int fd, int queueBytesMax, SinkHandler handler) throws IOException {
        requireLegal(queueBytesMax, handler);
        Pipe.requireNonBlocking(fd);
        PipeSink sink = new PipeSink(set, fd, queueBytesMax, handler);
        sink.startGiven(firstInterest(set));
        return sink;
    }

    /**
     * Any thread: writes to a named pipe that some process has open for reading.
     *
     * @throws IOException with ENXIO if no process has; also if the pipe does not exist, is no pipe, or may not be opened
     */
    public static PipeSink openFifo(DescriptorSet set, Path path, int queueBytesMax, SinkHandler handler)
            throws IOException {
        requireLegal(queueBytesMax, handler);
        int opened = Pipe.openEnd(set.kernel(), path, FileFlags.O_WRONLY);
        PipeSink sink = make(set, opened, fd -> new PipeSink(set, fd, queueBytesMax, handler));
        sink.start(firstInterest(set));
        return sink;
    }

    private static void requireLegal(int queueBytesMax, SinkHandler handler) {
        Objects.requireNonNull(handler, "handler");
        if (queueBytesMax < 2 * RecordQueue.HEADER_BYTES || queueBytesMax > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a queue of " + queueBytesMax + " bytes");
        }
    }

    // An edge-triggered interest costs nothing while unused; with oneshot, the interest must be wanted.
    private static int firstInterest(DescriptorSet set) {
        return set.deactivation() == Deactivation.CLAIM ? Ready.WRITE : 0;
    }

    /**
     * Any thread: takes the rest of {@code bytes}, all of it, behind all that was taken before.
     *
     * @return false: the queue has no room for it; nothing was taken, it was counted, and {@link SinkHandler#handleRoom}
     *     will be called
     * @throws IllegalArgumentException for more bytes than the whole queue could hold
     * @throws IOException when nobody reads any more (EPIPE), when the sink is closed or {@link #finish} was called
     */
    public boolean write(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > recordBytesMax) {
            throw new IllegalArgumentException(
                    bytes.remaining() + " bytes for a queue that holds " + recordBytesMax + " at most");
        }
        if (!bytes.hasRemaining()) {
            return true;
        }
        synchronized (lock()) {
            requireWritable();
            if (!queue.offer(bytes)) {
                refused++;
                roomWanted = true;
                return false;
            }
            flush();
            if (!queue.isEmpty()) {
                handle().post(Ready.POSTED); // arms the handle, or closes it
            }
            if (failure != null) {
                throw refusal();
            }
        }
        bytes.position(bytes.limit());
        return true;
    }

    private IOException refusal() {
        return new IOException(this + " takes no more: " + failure.getMessage(), failure);
    }

    private void requireWritable() throws IOException {
        if (failure != null) {
            throw refusal();
        }
        if (isReleased() || finishing) {
            throw new IOException(this + (finishing ? " was finished" : " is closed") + " and takes no more");
        }
    }

    /** Writes what the pipe takes. Called under the lock. */
    private void flush() {
        while (!queue.isEmpty() && failure == null) {
            int result = kernel().write(fd(), queueAddress + queue.firstOffset(), queue.firstLength());
            if (result > 0) {
                queue.written(result);
            } else if (result == -Errno.EAGAIN) {
                return;
            } else if (result != -Errno.EINTR) {
                failure = Errno.exception(this + ": write", result);
            }
        }
    }

    /** Any thread: takes nothing more, writes what is queued, and closes then. */
    public void finish() {
        synchronized (lock()) {
            finishing = true;
        }
        handle().post(Ready.POSTED);
    }

    @Override
    void handleReady(int ready) throws Exception {
        boolean empty;
        boolean room;
        boolean done;
        Throwable failed;
        synchronized (lock()) {
            flush();
            if (failure == null && (ready & Ready.ERROR) != 0) { // reported when a pipe has lost its last reader
                failure = Errno.exception(this + ": write", -Errno.EPIPE);
            }
            failed = failure;
            empty = queue.isEmpty();
            room = empty && roomWanted;
            roomWanted &= !room;
            done = empty && finishing;
        }
        if (failed != null) {
            handle().closeBecauseOf(failed);
            return;
        }
        if (done) {
            handle().close();
            return;
        }
        set().interest(handle(), empty && set().deactivation() == Deactivation.ONESHOT ? 0 : Ready.WRITE);
        if (room) {
            handler.handleRoom(this);
        }
    }

    /** Any thread: bytes that were taken and not written yet, each record with 4 more. */
    public int queuedBytes() {
        synchronized (lock()) {
            return queue.bytes();
        }
    }

    /** Any thread: how often {@link #write} found no room. */
    public long refused() {
        synchronized (lock()) {
            return refused;
        }
    }

    @Override
    void handleClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return "writing end fd " + fd();
    }
}
