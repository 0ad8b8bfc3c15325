package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.cabrank.stream.ReactorFile;

/** Bytes of a file that a connection must still send. The file stays open until {@link #release}. Used by the claim holder. */
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

    /** Returns a range that the caller must {@link #release}. Throws {@link ClosedChannelException} if the file is closed. */
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

    public void advance(long count) {
        position += count;
    }

    /** Reads at least one of the next bytes. They stay in the range until {@link #advance}. Blocks. Throws if the file is too short. */
    public int read(ByteBuffer into) throws IOException {
        into.limit((int) Math.min(into.limit(), into.position() + left()));
        int count = file.readAt(into, position);
        if (count <= 0) {
            throw truncated();
        }
        return count;
    }

    public IOException truncated() {
        return new IOException(file + " ends before byte " + end + ", up to which it was to be sent, at " + position
                + " or before: it was truncated, or is shorter than the count given; take the count from the size of a file that"
                + " nobody shortens");
    }

    void countedBy(Outbound output) {
        countedBy = output;
    }

    /** Called once, when nothing more is sent. */
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
