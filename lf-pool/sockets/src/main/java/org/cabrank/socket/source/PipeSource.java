package org.cabrank.socket.source;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.cabrank.kernel.FileFlags;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.transport.LentBuffers;

/** Bytes of a pipe, named or anonymous (pipe(7), fifo(7)), as events of a handle set. */
public final class PipeSource extends Source {
    /** Maximum number of bytes of one call of the handler, unread bytes of earlier calls included. A pipe holds 64 KiB by default. */
    public static final int UNREAD_MAX = 64 << 10;

    private final PipeHandler handler;

    /** Buffer with the bytes that the handler has left unread, from 0 to the limit. */
    private ByteBuffer buffer;

    private long bufferAddress;

    /** Buffer that the handler uses now; null: none. */
    private ByteBuffer lent;

    private int lentBytes;

    /** True if the handler has waited with bytes unread, which are passed to it again at once. */
    private boolean again;

    private boolean ended;

    private PipeSource(DescriptorSet set, int fd, PipeHandler handler) {
        super(set, fd);
        this.handler = Objects.requireNonNull(handler, "handler");
        makeBuffer();
    }

    private void makeBuffer() {
        ByteBuffer made = direct(UNREAD_MAX).limit(0);
        bufferAddress = kernel().addressOf(made);
        buffer = made;
        Reference.reachabilityFence(made); // the field keeps the buffer reachable from now on
    }

    /**
     * Reads from a descriptor that does not block, {@link Pipe#readFd} for instance, and owns it from now on. Any thread.
     *
     * @throws IllegalArgumentException if the descriptor blocks; the caller still owns it then
     * @throws IOException if the kernel refuses to watch it, as with {@link DescriptorSet#register}; the caller still owns it then
     */
    public static PipeSource of(DescriptorSet set, int fd, PipeHandler handler) throws IOException {
        Pipe.requireNonBlocking(fd);
        PipeSource source = new PipeSource(set, fd, handler);
        source.startGiven(Ready.READ);
        return source;
    }

    /**
     * Reads from a named pipe that writers may open and close at any time; the source never sees the end of the pipe. Any thread. Opens the
     * pipe for reading and writing, as Linux permits (fifo(7)): a writer does not block in open(2), and its bytes stay until they are read.
     *
     * @throws IOException if the file does not exist, is not a pipe, or reading and writing are not permitted
     */
    public static PipeSource openFifo(DescriptorSet set, Path path, PipeHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler");
        int opened = Pipe.openEnd(set.kernel(), path, FileFlags.O_RDWR);
        PipeSource source = make(set, opened, fd -> new PipeSource(set, fd, handler));
        source.start(Ready.READ);
        return source;
    }

    @Override
    boolean take() throws Exception {
        if (ended) {
            return false; // the handler waits in handleEnd, and the source is closed afterwards
        }
        if (again) {
            again = false;
        } else {
            int kept = buffer.limit();
            int count = read(bufferAddress + kept, UNREAD_MAX - kept);
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                ended = true;
                callHandler();
                close();
                return false;
            }
            buffer.limit(kept + count);
        }
        callHandler();
        if (mayContinue()) {
            keepRest();
        }
        return true;
    }

    private void keepRest() throws IOException {
        buffer.compact().flip();
        if (buffer.limit() == UNREAD_MAX) {
            throw new IOException(
                    this + ": the handler has left " + UNREAD_MAX + " bytes unread, there is no more room");
        }
    }

    private void callHandler() throws Exception {
        lentBytes = buffer.limit();
        ByteBuffer own = LentBuffers.lend(buffer);
        lent = own;
        try {
            if (ended) {
                handler.handleEnd(this, own);
            } else {
                handler.handleData(this, own);
            }
            if (mayContinue()) {
                reclaim();
            }
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(own);
            }
        }
    }

    private void reclaim() {
        LentBuffers.reclaim(buffer, lent, lentBytes);
        lent = null;
    }

    /** Gives unread bytes to the next owner, unless the pipe has ended; the memory stays with the waiting handler. */
    @Override
    void beforeNestedWait() {
        if (lent != null && !ended) {
            ByteBuffer lentBuffer = buffer;
            makeBuffer();
            LentBuffers.reclaim(lentBuffer, lent, lentBytes);
            buffer.clear().put(lentBuffer).flip();
            again = buffer.hasRemaining();
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(lent);
            }
        }
        lent = null;
        super.beforeNestedWait();
    }

    @Override
    void handleClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return "reading end fd " + fd();
    }
}
