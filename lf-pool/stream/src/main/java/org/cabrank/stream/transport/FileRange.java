package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.cabrank.stream.ReactorFile;

/**
 * Bytes of a file that a connection has still to send. Keeps the file open until {@link #release}. Made by any thread, then used by
 * the claim holder of the connection.
 */
public final class FileRange {
    private final OffloadedFile file;
    private final long end;
    private long position;
    private Outbound countedBy;

    private FileRange(OffloadedFile file, long position, long end) {
        this.file = file;
        this.position = position;
        this.end = end;
    }

    /**
     * Any thread: see {@link org.cabrank.stream.Connection#sendFile}. The caller must {@link #release} the range.
     *
     * @throws ClosedChannelException if the file is closed
     * @throws IllegalArgumentException for a range that no file has, and for a file that no reactor has opened
     */
    public static FileRange of(ReactorFile file, long position, long count) throws IOException {
        Objects.requireNonNull(file, "file");
        if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
            throw new IllegalArgumentException("a file is sent from position 0 on and for 0 bytes or more, up to "
                    + Long.MAX_VALUE + "; not from " + position + " for " + count + " bytes");
        }
        if (!(file instanceof OffloadedFile opened)) {
            throw new IllegalArgumentException(file + " was not opened by StreamReactor.openFile");
        }
        opened.begin();
        return new FileRange(opened, position, position + count);
    }

    public OffloadedFile file() {
        return file;
    }

    public long position() {
        return position;
    }

    public long left() {
        return end - position;
    }

    /** The next {@code count} bytes were sent, or were read to be sent. */
    public void advance(long count) {
        position += count;
    }

    /**
     * Reads the next bytes, as many as fit, moves the position of the buffer, and does not {@link #advance}. Blocks while the file is read.
     *
     * @return at least 1, if both have at least 1 left
     * @throws IOException if the file cannot be read, or ends before the range does
     */
    public int read(ByteBuffer into) throws IOException {
        into.limit((int) Math.min(into.limit(), into.position() + left()));
        int count = file.readAt(into, position);
        if (count <= 0) {
            throw truncated();
        }
        return count;
    }

    /** Returns the failure of a connection that finds the end of the file in the range. */
    public IOException truncated() {
        return new IOException(file + " ends before byte " + end + ", up to which it was to be sent, at " + position
                + " or before: it was truncated, or is shorter than the count given; take the count from the size of a file that"
                + " nobody shortens");
    }

    void countedBy(Outbound output) {
        countedBy = output;
    }

    /** Once: nothing more is sent. */
    public void release() {
        if (countedBy != null) {
            countedBy.giveBackFileRange();
        }
        file.release();
    }

    @Override
    public String toString() {
        return file + " from " + position + " to " + end;
    }
}
