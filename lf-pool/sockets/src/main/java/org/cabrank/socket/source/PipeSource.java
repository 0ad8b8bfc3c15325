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

/** Bytes of a pipe, named or anonymous (pipe(7), fifo(7)), as events of a handle set. Any thread may call the methods. */
public final class PipeSource extends Source {
    /** Maximum number of bytes for one call of the handler, including unread bytes of earlier calls. A pipe holds 64 KiB by default. */
    public static final int UNREAD_MAX = 64 << 10;

    private final PipeHandler handler;

    /** Buffer with the bytes that the handler has left unread, from 0 to the limit. */
    private ByteBuffer buffer;

    private long bufferAddress;

    private ByteBuffer lent;

    private int lentBytes;

    /** True if the handler has waited for a reply and has left bytes unread, which it gets again at once. */
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
     * Reads from a non-blocking descriptor, for instance {@link Pipe#readFd}. The source owns it, unless this method throws.
     *
     * @throws IllegalArgumentException if the descriptor blocks
     * @throws IOException if the kernel refuses to watch the descriptor, as with {@link DescriptorSet#register}
     */
    public static PipeSource of(DescriptorSet set, int fd, PipeHandler handler) throws IOException {
        Pipe.requireNonBlocking(fd);
        PipeSource source = new PipeSource(set, fd, handler);
        source.startGiven(Ready.READ);
        return source;
    }

    /**
     * Reads from a named pipe, which is opened for reading and writing (fifo(7)). Writers may open and close the pipe at any time. The
     * source never reports its end, no writer blocks in open(2), and the bytes stay until they are read.
     *
     * @throws IOException if the file does not exist or is not a pipe, or if reading and writing are not permitted
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

    /** Copies the unread bytes for the next owner of the source, unless the pipe has ended. The handler that waits keeps its buffer. */
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
