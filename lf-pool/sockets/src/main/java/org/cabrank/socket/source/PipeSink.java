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
 * The writing end of a named or anonymous pipe in a handle set. Bytes that the pipe does not take at once are queued until there is room.
 *
 * <p>The bytes of one {@link #write} are one record, which is passed to the kernel separately. A record of up to 4096 bytes (PIPE_BUF)
 * arrives in one piece. A longer record may be interleaved with bytes of other processes (pipe(7)). Any thread may call the methods.
 */
public final class PipeSink extends Endpoint {
    private final SinkHandler handler;

    /** This field and the next ones are guarded by the {@link #lock}. */
    private final RecordQueue queue;

    private final long queueAddress;
    private final int recordBytesMax;
    private long refused;

    private boolean roomWanted;

    private boolean finishing;

    private IOException failure;

    private PipeSink(DescriptorSet set, int fd, int queueBytesMax, SinkHandler handler) {
        super(set, fd);
        this.handler = handler;
        this.queue = new RecordQueue(queueBytesMax);
        this.queueAddress = set.kernel().addressOf(queue.memory());
        this.recordBytesMax = queueBytesMax - RecordQueue.HEADER_BYTES;
    }

    /**
     * Writes to a non-blocking descriptor, for instance {@link Pipe#writeFd}. The sink owns it, unless this method throws.
     *
     * @param queueBytesMax maximum number of waiting bytes, at least 8. Each record takes 4 bytes in addition to its own
     * @throws IllegalArgumentException if the descriptor blocks
     * @throws IOException if the kernel refuses to watch the descriptor, as with {@link DescriptorSet#register}
     */
    public static PipeSink of(DescriptorSet set, int fd, int queueBytesMax, SinkHandler handler) throws IOException {
        requireLegal(queueBytesMax, handler);
        Pipe.requireNonBlocking(fd);
        PipeSink sink = new PipeSink(set, fd, queueBytesMax, handler);
        sink.startGiven(firstInterest(set));
        return sink;
    }

    /** Writes to a named pipe. Throws if the pipe has no reader (ENXIO), the file is no pipe, or writing is not permitted. */
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

    // With CLAIM, an interest that is not needed yet costs nothing. With ONESHOT, the set would report room at once.
    private static int firstInterest(DescriptorSet set) {
        return set.deactivation() == Deactivation.CLAIM ? Ready.WRITE : 0;
    }

    /**
     * Takes all remaining bytes of {@code bytes} and writes them after earlier bytes.
     *
     * @return false if the queue has no room. Nothing is taken then, and {@link SinkHandler#handleRoom} is called later
     * @throws IllegalArgumentException if there are more bytes than the whole queue could hold
     * @throws IOException if the pipe has lost its last reader (EPIPE), the sink is closed, or {@link #finish} was called
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

    /** Called under the lock. */
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

    /** Refuses further bytes, writes the queued bytes, then closes the sink. */
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

    /** Number of queued bytes, plus 4 for each record. */
    public int queuedBytes() {
        synchronized (lock()) {
            return queue.bytes();
        }
    }

    /** Number of times that {@link #write} found no room. */
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
