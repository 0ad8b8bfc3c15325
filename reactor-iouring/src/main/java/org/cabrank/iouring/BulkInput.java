package org.cabrank.iouring;

/**
 * The input of a connection whose peer sends much at once. Provided buffers are small, so a multishot receive would bring such
 * input in hundreds of pieces. While bulk input is under way, the claim holder asks for one receive at a time instead: its
 * completion reports that bytes have come, and the claim holder reads the rest from the socket itself, up to
 * {@link org.cabrank.stream.StreamLimits#receiveBuffer} at once. Used by the claim holder.
 *
 * <pre>
 *  multishot receive --BEGIN_BYTES in full pieces--> one receive, then recv(2) until the socket is empty
 *         ^                                                                |
 *         +---------------- SMALL_MAX turns of less than SMALL_BYTES ------+
 * </pre>
 */
final class BulkInput {
    /** Named bound: bytes that come in pieces which fill their buffers before the input counts as bulk. */
    static final int BEGIN_BYTES = 32 << 10;

    /** Named bound: a turn of fewer bytes is small. */
    static final int SMALL_BYTES = 16 << 10;

    /** Named bound: small turns, one after the other, before the input counts as bulk no more. */
    static final int SMALL_MAX = 16;

    private boolean underWay;

    /** Bytes of full pieces, one after the other; while bulk input is under way: bytes of this turn. */
    private int bytes;

    private int smallTurns;

    /** The socket may have bytes that no completion reports. */
    private boolean moreInSocket;

    boolean isUnderWay() {
        return underWay;
    }

    /**
     * A multishot receive has brought a piece.
     *
     * @return true if bulk input is under way from now on: the receive must end
     */
    boolean begins(long piece, int bufferBytes, int receiveBufferBytes) {
        int count = InboundQueue.bytes(piece);
        if (count < bufferBytes || receiveBufferBytes <= bufferBytes) {
            bytes = 0;
            return false;
        }
        bytes += count;
        if (bytes < BEGIN_BYTES) {
            return false;
        }
        bytes = 0;
        smallTurns = 0;
        underWay = true;
        moreInSocket = true;
        return true;
    }

    /** The only receive has brought bytes. */
    void received(int count) {
        if (underWay) {
            bytes += count;
            moreInSocket = true;
        }
    }

    /** The claim holder has read {@code count} bytes; fewer than {@code wanted} if the socket had no more. */
    void read(int count, int wanted) {
        bytes = Math.min(bytes + count, SMALL_BYTES);
        if (count < wanted) {
            paused();
        }
    }

    /** The socket is empty: a turn is over. */
    void paused() {
        moreInSocket = false;
        smallTurns = bytes < SMALL_BYTES ? smallTurns + 1 : 0;
        bytes = 0;
        if (smallTurns >= SMALL_MAX) {
            underWay = false;
            smallTurns = 0;
        }
    }

    /** A receive is asked for: it reports what the socket has. */
    void asked() {
        moreInSocket = false;
    }

    /** True if the claim holder has more to read before it asks for a receive. */
    boolean mayHaveMore() {
        return moreInSocket;
    }
}
