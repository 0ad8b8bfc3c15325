package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.cabrank.http.message.HttpStatus;

/**
 * Decodes gzip (RFC 1952) in pieces. Bounds the decoded body, because a few KiB may become many MiB. A body may have several members, and
 * zeros behind the last member. Uses about 40 KiB outside of the heap until {@link #close}. Not thread-safe.
 */
public final class GzipDecoder implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Room for a decoded piece. The second half is for the output that zlib still has after it has read all input. */
    private static final ThreadLocal<ByteBuffer> ROOM =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(2 * PIECE_BYTES));

    private static final int FLAGS_AT = 3;
    private static final int FIXED_HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;

    private static final int CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    /** Parts of a member, in their order. An optional part of the header exists only if its flag is set. */
    private enum Part {
        FIXED_HEADER,
        EXTRA_LENGTH,
        EXTRA_BYTES,
        NAME_BYTES,
        COMMENT_BYTES,
        HEADER_CHECKSUM,
        DATA,
        TRAILER,
        PADDING
    }

    private final long bytesMax;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private ByteBuffer piece = NOTHING;
    private Part part = Part.FIXED_HEADER;

    private int read;

    private int flags;
    private int extraBytes;

    /** Received bytes of the trailer. The first byte is in the lowest 8 bits. */
    private long trailer;

    private boolean begun;
    private boolean memberEnded;
    private long total;

    /** @param bytesMax largest decoded body in bytes, from 0 */
    public GzipDecoder(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Decodes and consumes bytes of the piece that {@code body} has found. If bytes are left, {@code body} finds them again.
     *
     * @return {@link BodyDecoder#PIECE} if {@link #piece} has decoded bytes, {@link BodyDecoder#INCOMPLETE} if all bytes are consumed,
     *     {@link HttpStatus#CONTENT_TOO_LARGE} if the decoded body is too long, {@link HttpStatus#BAD_REQUEST} if it is malformed
     */
    public int next(BodyDecoder body, ByteBuffer data) {
        int from = data.position();
        int limit = data.limit();
        data.limit(from + body.pieceBytes());
        try {
            return next(data);
        } catch (DataFormatException malformed) {
            return HttpStatus.BAD_REQUEST;
        } finally {
            data.limit(limit);
            body.taken(data.position() - from);
        }
    }

    private int next(ByteBuffer coded) throws DataFormatException {
        while (coded.hasRemaining()) {
            begun = true;
            if (part != Part.DATA) {
                if (!take(coded.get() & 0xff)) {
                    return HttpStatus.BAD_REQUEST;
                }
                continue;
            }
            inflate(coded);
            if (piece.position() > bytesMax - total) {
                return HttpStatus.CONTENT_TOO_LARGE;
            }
            total += piece.position();
            if (piece.position() > 0) {
                return BodyDecoder.PIECE;
            }
        }
        return BodyDecoder.INCOMPLETE;
    }

    /** Returns a buffer of the thread with the decoded bytes in front of its position. Valid until the thread decodes again. */
    public ByteBuffer piece() {
        return piece;
    }

    /** Returns true if the body may end here, because a member has ended or the body is empty. */
    public boolean isComplete() {
        return !begun || part == Part.PADDING || part == Part.FIXED_HEADER && read == 0;
    }

    /** Inflates until a piece is full. If zlib has consumed all bytes and still has output, the piece becomes longer. */
    private void inflate(ByteBuffer coded) throws DataFormatException {
        piece = ROOM.get().clear().limit(PIECE_BYTES);
        inflater.setInput(coded);
        inflater.inflate(piece);
        while (!piece.hasRemaining() && !coded.hasRemaining() && !inflater.finished()) {
            if (piece.limit() == piece.capacity()) {
                piece = ByteBuffer.allocate(2 * piece.capacity()).put(piece.flip());
            }
            piece.limit(piece.capacity());
            if (inflater.inflate(piece) == 0) {
                break;
            }
        }
        inflater.setInput(NOTHING); // the buffer belongs to the caller
        if (inflater.needsDictionary()) {
            throw new DataFormatException("gzip has no dictionaries");
        }
        checksum.update(piece.duplicate().flip());
        if (inflater.finished()) {
            begin(Part.TRAILER);
        }
    }

    private void begin(Part next) {
        part = next;
        read = 0;
    }

    private boolean take(int c) {
        int at = read++;
        switch (part) {
            case FIXED_HEADER:
                return takeHeader(at, c);
            case EXTRA_LENGTH:
                extraBytes = at == 0 ? c : extraBytes | c << 8;
                if (at == 1) {
                    begin(extraBytes > 0 ? Part.EXTRA_BYTES : afterExtra());
                }
                return true;
            case EXTRA_BYTES:
                if (read == extraBytes) {
                    begin(afterExtra());
                }
                return true;
            case NAME_BYTES:
                if (c == 0) {
                    begin(afterName());
                }
                read = 0; // the name may have any length
                return true;
            case COMMENT_BYTES:
                if (c == 0) {
                    begin(afterComment());
                }
                read = 0;
                return true;
            case HEADER_CHECKSUM:
                if (at == 1) {
                    begin(Part.DATA);
                }
                return true;
            case TRAILER:
                trailer |= (long) c << (8 * at);
                return read < TRAILER_BYTES || endMember();
            default:
                return c == 0;
        }
    }

    private boolean takeHeader(int at, int c) {
        if (at == 0 && c == 0 && memberEnded) {
            begin(Part.PADDING);
            return true;
        }
        boolean valid = switch (at) {
            case 0 -> c == 0x1f;
            case 1 -> c == 0x8b;
            case 2 -> c == 8;
            case FLAGS_AT -> (c & RESERVED) == 0;
            default -> true;
        };
        flags = at == FLAGS_AT ? c : flags;
        if (read == FIXED_HEADER_BYTES) {
            begin((flags & EXTRA) != 0 ? Part.EXTRA_LENGTH : afterExtra());
        }
        return valid;
    }

    private Part afterExtra() {
        return (flags & NAME) != 0 ? Part.NAME_BYTES : afterName();
    }

    private Part afterName() {
        return (flags & COMMENT) != 0 ? Part.COMMENT_BYTES : afterComment();
    }

    private Part afterComment() {
        return (flags & CHECKSUM) != 0 ? Part.HEADER_CHECKSUM : Part.DATA;
    }

    /** Ends a member. Returns false if the checksum or the length does not match the data. Another member may follow. */
    private boolean endMember() {
        boolean fits = trailer == (checksum.getValue() | inflater.getBytesWritten() << 32);
        checksum.reset();
        inflater.reset();
        trailer = 0;
        memberEnded = true;
        begin(Part.FIXED_HEADER);
        return fits;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
