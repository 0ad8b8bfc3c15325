package org.cabrank.framing;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.transport.LimitedHandlers;

/**
 * The form of the frames in a stream of bytes. Immutable and thread-safe: one object serves all connections. A protocol with a form of its
 * own extends this class.
 */
public abstract class Framing {
    /** Default bound of a frame in bytes: the number that a connection keeps by default ({@link StreamLimits#unreadLimit}). */
    public static final int BYTES_MAX_DEFAULT = 64 << 10;

    private final int bytesMax;

    /** @param bytesMax number of bytes of the longest frame, with its prefix or delimiter; at least 1 */
    protected Framing(int bytesMax) {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("the bound of a frame must be at least 1 byte, but is " + bytesMax);
        }
        this.bytesMax = bytesMax;
    }

    /** Frames that follow their length, an unsigned big-endian number of 1, 2, 3, 4 or 8 bytes. {@link LengthPrefixed} has other forms. */
    public static LengthPrefixed lengthPrefixed(int bytes) {
        return LengthPrefixed.ofBytes(bytes);
    }

    /** Frames that follow their length, a varint: groups of 7 bits, the lowest first. All bytes but the last have the high bit set. */
    public static LengthPrefixed varintPrefixed() {
        return LengthPrefixed.ofVarint();
    }

    /** Lines of at most {@code bytesMax} bytes that end with a line feed. The handler sees neither the line feed nor a CR before it. */
    public static Framing lines(int bytesMax) {
        return Delimited.ofLines(bytesMax);
    }

    /**
     * Frames that end with a delimiter of 1 to {@value Delimited#DELIMITER_MAX} bytes, which the handler does not see.
     *
     * @param bytesMax length of the longest frame in bytes, with the delimiter
     */
    public static Framing delimited(byte[] delimiter, int bytesMax) {
        return Delimited.by(delimiter, bytesMax);
    }

    /** Frames of one size, at least 1 byte. */
    public static Framing fixedSize(int bytes) {
        return new FixedSize(bytes);
    }

    /** Length of the longest frame in bytes, with its prefix or delimiter. */
    public final int bytesMax() {
        return bytesMax;
    }

    /**
     * Finds the first frame in the remaining bytes by absolute access, and changes nothing. Called again with more bytes if the frame is
     * incomplete.
     *
     * @param bytes buffer with at least 1 remaining byte, in network byte order
     * @param bounds receives the place of the frame, or the number of bytes searched in vain
     * @return true if the frame is complete
     * @throws FrameException if the bytes are no frame, or the frame is longer than {@link #bytesMax}
     */
    protected abstract boolean find(ByteBuffer bytes, FrameBounds bounds) throws FrameException;

    /**
     * Writes one frame, as {@link Connection#write} does. Any thread: frames of several threads do not mix. {@code content} is consumed.
     *
     * @throws IllegalArgumentException if {@code content} is too long for a frame, or contains the delimiter
     */
    public abstract void write(Connection connection, ByteBuffer content);

    /** Returns a handler for one connection that calls {@code handler} for each frame. */
    public final ConnectionHandler handler(FrameHandler handler) {
        return new FrameDecoder(this, Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Returns a supplier of handlers for a server: each connection gets a handler from {@code handlers}. A listener refuses the supplier if
     * {@link #bytesMax} exceeds the {@link StreamLimits#unreadLimit} of its reactor.
     */
    public final Supplier<ConnectionHandler> handlers(Supplier<? extends FrameHandler> handlers) {
        Objects.requireNonNull(handlers, "handlers");
        return LimitedHandlers.of(() -> handler(handlers.get()), limits -> {
            String misfit = misfit(limits);
            if (misfit != null) {
                throw new IllegalArgumentException(misfit);
            }
        });
    }

    /** Returns the reason why a connection cannot keep the longest frame unread; null if it can. */
    final String misfit(StreamLimits limits) {
        int unreadLimit = limits.unreadLimit();
        return unreadLimit >= bytesMax
                ? null
                : "frames of up to " + bytesMax + " bytes do not fit into the " + unreadLimit
                        + " bytes that a connection keeps: raise StreamLimits.unreadLimit to " + bytesMax
                        + ", or lower the bound of the framing";
    }

    final void requireFits(long bytes) {
        if (bytes > bytesMax) {
            throw new IllegalArgumentException(
                    "a frame of " + bytes + " bytes exceeds the bound of " + bytesMax + " bytes of this framing");
        }
    }
}
