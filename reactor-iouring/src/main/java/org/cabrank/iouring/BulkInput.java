package org.cabrank.iouring;

/**
 * The input of a connection whose peer sends much at once. A multishot receive would bring it in hundreds of small provided buffers. So the
 * claim holder requests single receives: a completion reports that bytes have arrived, and the claim holder reads the rest from the socket,
 * up to {@link org.cabrank.stream.StreamLimits#receiveBuffer} at once. Used by the claim holder.
 *
 * <pre>
 *  multishot receive --BEGIN_BYTES in full pieces--> one receive, then recv(2) until the socket is empty
 *         ^                                                                |
 *         +---------------- SMALL_MAX turns of less than SMALL_BYTES ------+
 * </pre>
 */
final class BulkInput {
    /** Named bound: bytes received in consecutive full buffers after which the input counts as bulk. */
    static final int BEGIN_BYTES = 32 << 10;

    static final int SMALL_BYTES = 16 << 10;

    /** Named bound: consecutive small turns after which the input does not count as bulk any more. */
    static final int SMALL_MAX = 16;

    private boolean underWay;

    /** Bytes received in consecutive full buffers; during bulk input: bytes received in this turn. */
    private int bytes;

    private int smallTurns;

    /** True if the socket may have bytes that no completion reports. */
    private boolean moreInSocket;

    boolean isUnderWay() {
        return underWay;
    }

    /** Called when a multishot receive has brought a piece. Returns true if bulk input begins: the caller must then end the receive. */
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

    void received(int count) {
        if (underWay) {
            bytes += count;
            moreInSocket = true;
        }
    }

    /** Called when the claim holder has read {@code count} bytes. A count below {@code wanted} means that the socket is empty. */
    void read(int count, int wanted) {
        bytes = Math.min(bytes + count, SMALL_BYTES);
        if (count < wanted) {
            paused();
        }
    }

    void paused() {
        moreInSocket = false;
        smallTurns = bytes < SMALL_BYTES ? smallTurns + 1 : 0;
        bytes = 0;
        if (smallTurns >= SMALL_MAX) {
            underWay = false;
            smallTurns = 0;
        }
    }

    void asked() {
        moreInSocket = false;
    }

    /** Returns true if the claim holder must read more before it requests a receive. */
    boolean mayHaveMore() {
        return moreInSocket;
    }
}
