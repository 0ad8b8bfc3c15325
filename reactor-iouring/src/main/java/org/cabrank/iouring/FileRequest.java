package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Handle;
import org.cabrank.stream.transport.FileOperation;

/** A read, write or sync of a file. The ring's table keeps this request and its buffer until completion, even if the connection ends. */
final class FileRequest extends HandleRequests {
    private static final Queue<ByteBuffer> KEPT = new ConcurrentLinkedQueue<>();

    private final Handle handle;
    private final int fd;
    private final FileOperation operation;

    /** Address of index 0 of the buffer, not of the buffer's position. For a sync, the address is 0. */
    private final long address;

    /** True if the request could not be queued. */
    private boolean refused;

    FileRequest(RingHandleSet set, Handle handle, int fd, FileOperation operation) {
        super(set);
        this.handle = handle;
        this.fd = fd;
        this.operation = operation;
        this.address = operation.buffer() == null
                ? 0
                : set.kernel().addressOf(operation.buffer().duplicate().clear());
    }

    static int keptCount() {
        return KEPT.size();
    }

    void start() {
        set().enter();
        boolean queued = false;
        try {
            set().table().add(this);
            submit();
            queued = true;
        } finally {
            if (!queued) {
                refused = true;
                markClosed();
                ended();
            }
            set().leave();
        }
    }

    private void submit() {
        begin();
        ByteBuffer buffer = operation.buffer();
        SubmissionWriter submissions = set().submissions();
        switch (operation.kind()) {
            case READ, WRITE ->
                submissions.transfer(
                        operation.kind() == FileOperation.Kind.READ ? IoUring.IORING_OP_READ : IoUring.IORING_OP_WRITE,
                        fd,
                        address + buffer.position(),
                        buffer.remaining(),
                        operation.position(),
                        userData(FILE));
            case SYNC, SYNC_DATA ->
                submissions.sync(
                        fd,
                        operation.kind() == FileOperation.Kind.SYNC_DATA ? IoUring.IORING_FSYNC_DATASYNC : 0,
                        userData(FILE));
        }
    }

    @Override
    Handle handle() {
        return handle;
    }

    @Override
    boolean check() {
        return false;
    }

    @Override
    void arm() {
        throw new IllegalStateException(this + " is submitted when it is made");
    }

    @Override
    int completed(int kind, int result, int flags) {
        boolean again = result >= 0 ? operation.transferred(result) : isToBeAskedAgain(result);
        if (again && !set().isQuiet()) {
            submit();
            ended();
            return 0;
        }
        if (result < 0) {
            operation.failed(Errno.exception(operation.toString(), result));
        } else if (again) {
            operation.failed(Errno.exception(operation.toString(), -Errno.ECANCELED));
        }
        markClosed();
        ended();
        return 0; // operation.end() makes the handle ready
    }

    @Override
    void close() {
        throw new IllegalStateException(this + " ends by itself");
    }

    @Override
    void abandoned() {
        operation.failed(new IOException(operation + " had not ended when the ring was closed"));
        if (operation.buffer() != null) {
            KEPT.add(operation.buffer());
        }
    }

    @Override
    void released() {
        if (!refused) {
            operation.end();
        }
    }

    @Override
    public String toString() {
        return operation.toString();
    }
}
