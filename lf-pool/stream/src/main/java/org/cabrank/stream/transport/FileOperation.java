package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A request on a file, and its result. The thread that carries out the request uses it first, then the claim holder of the connection. */
public final class FileOperation {

    /** The kinds of requests. */
    public enum Kind {
        READ,
        WRITE,
        SYNC,
        SYNC_DATA
    }

    private final OffloadedFile file;
    private final Kind kind;
    private final ByteBuffer buffer;
    private long position;
    private Runnable work;
    private int result;
    private IOException failure;

    FileOperation(OffloadedFile file, Kind kind, ByteBuffer buffer, long position) {
        this.file = file;
        this.kind = kind;
        this.buffer = buffer;
        this.position = position;
    }

    FileOperation resumedBy(Runnable offloaded) {
        work = offloaded;
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** The bytes to transfer, from the position to the limit. Null for a sync. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public long position() {
        return position;
    }

    /** Notes that {@code count} bytes were transferred or a sync has ended. Returns true if another call must write the rest. */
    public boolean transferred(int count) {
        if (buffer == null) {
            return false;
        }
        boolean wanted = buffer.hasRemaining();
        buffer.position(buffer.position() + count);
        position += count;
        if (kind == Kind.READ) {
            result = wanted && count == 0 ? -1 : count;
            return false;
        }
        result += count;
        if (wanted && count == 0) {
            failed(new IOException(this + ": the kernel writes none of the last " + buffer.remaining() + " bytes"));
            return false;
        }
        return buffer.hasRemaining();
    }

    public void failed(IOException cause) {
        failure = cause;
    }

    /** Resumes the handler. Called once, when the kernel no longer uses the memory. */
    public void end() {
        try {
            file.release();
        } finally {
            work.run();
        }
    }

    Integer outcome() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case READ -> "reading " + file.path();
            case WRITE -> "writing " + file.path();
            case SYNC, SYNC_DATA -> "syncing " + file.path();
        };
    }
}
