package org.cabrank.framing;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.transport.LimitedHandlers;

/** The form of the frames in a stream of bytes. Immutable and thread-safe. To support another form, extend this class. */
public abstract class Framing {
    /** Default maximum length of a frame in bytes, equal to the default of {@link StreamLimits#unreadLimit}. */
    public static final int BYTES_MAX_DEFAULT = 64 << 10;

    private final int bytesMax;

    /** @param bytesMax maximum length of a frame in bytes, including its prefix or delimiter. At least 1. */
    protected Framing(int bytesMax) {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("the bound of a frame must be at least 1 byte, but is " + bytesMax);
        }
        this.bytesMax = bytesMax;
    }

    /** Frames that begin with their length, which is an unsigned big-endian number of 1, 2, 3, 4 or 8 bytes. */
    public static LengthPrefixed lengthPrefixed(int bytes) {
        return LengthPrefixed.ofBytes(bytes);
    }

    /** Frames that begin with their length as a varint: 7 bits in each byte, the lowest first. The high bit means that a byte follows. */
    public static LengthPrefixed varintPrefixed() {
        return LengthPrefixed.ofVarint();
    }

    /** Lines of at most {@code bytesMax} bytes that end with LF. The handler sees neither the LF nor a CR before it. */
    public static Framing lines(int bytesMax) {
        return Delimited.ofLines(bytesMax);
    }

    /**
     * Frames that end with a delimiter of 1 to {@value Delimited#DELIMITER_MAX} bytes. The handler does not see the delimiter.
     *
     * @param bytesMax maximum length of a frame in bytes, including the delimiter
     */
    public static Framing delimited(byte[] delimiter, int bytesMax) {
        return Delimited.by(delimiter, bytesMax);
    }

    /** Frames that all have the same length. {@code bytes} is at least 1. */
    public static Framing fixedSize(int bytes) {
        return new FixedSize(bytes);
    }

    /** Maximum length of a frame in bytes, including its prefix or its delimiter. */
    public final int bytesMax() {
        return bytesMax;
    }

    /**
     * Finds the first frame in the remaining bytes. Must not change the buffer or its position. If the frame is incomplete, this method
     * is called again when more bytes have arrived.
     *
     * @param bytes buffer with at least 1 remaining byte, in network byte order
     * @param bounds receives the place of the frame. If the frame is incomplete, it may receive the number of searched bytes.
     * @return true if the frame is complete
     * @throws FrameException if the bytes are malformed, or if the frame is longer than {@link #bytesMax}
     */
    protected abstract boolean find(ByteBuffer bytes, FrameBounds bounds) throws FrameException;

    /**
     * Writes one frame by {@link Connection#write}, and consumes {@code content}. Any thread may call this method. Frames do not mix.
     *
     * @throws IllegalArgumentException if {@code content} is too long for a frame, or contains the delimiter, or ends so that a delimiter
     *     begins in it
     */
    public abstract void write(Connection connection, ByteBuffer content);

    /** Returns a handler for one connection that calls {@code handler} for each frame. */
    public final ConnectionHandler handler(FrameHandler handler) {
        return new FrameDecoder(this, Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Returns a supplier of handlers for a server. A listener refuses the supplier if {@link #bytesMax} is larger than {@link
     * StreamLimits#unreadLimit}.
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

    /** Returns null, or the reason why a connection cannot keep the longest frame unread. */
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
