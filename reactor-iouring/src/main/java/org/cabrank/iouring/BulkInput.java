package org.cabrank.iouring;

/**
 * The input of a connection whose peer sends much at once. A multishot receive would split such input into hundreds of small provided
 * buffers. So the claim holder requests single receives. After the completion of a single receive, the claim holder reads the rest from the
 * socket, up to {@link org.cabrank.stream.StreamLimits#receiveBuffer} bytes at once.
 *
 * <pre>
 *  multishot receive --BEGIN_BYTES in full pieces--> one receive, then recv(2) until the socket is empty
 *         ^                                                                |
 *         +---------------- SMALL_MAX turns of less than SMALL_BYTES ------+
 * </pre>
 */
final class BulkInput {
    static final int BEGIN_BYTES = 32 << 10;

    static final int SMALL_BYTES = 16 << 10;

    static final int SMALL_MAX = 16;

    private boolean underWay;

    /** Before bulk input, counts the bytes of consecutive full buffers. During bulk input, counts the bytes of this turn. */
    private int bytes;

    private int smallTurns;

    /** True if the socket may have bytes that no completion reports. */
    private boolean moreInSocket;

    boolean isUnderWay() {
        return underWay;
    }

    /** Called when a multishot receive has brought a piece. Returns true if bulk input begins. The caller must then end the receive. */
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

    /** If {@code count} is below {@code wanted}, the socket is empty. */
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

    boolean mayHaveMore() {
        return moreInSocket;
    }
}
