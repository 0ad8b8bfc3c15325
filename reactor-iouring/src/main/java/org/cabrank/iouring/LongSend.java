package org.cabrank.iouring;

import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Sockets;
import org.cabrank.stream.transport.OutboundQueue;

/**
 * Sends of more than one chunk, and sends without a copy. Used by the owner of the send ({@link
 * StreamRequests}), but for what is said to be the watcher's.
 */
final class LongSend {
    private final StreamRequests requests;
    private final RingHandleSet set;
    private final ZeroCopy zeroCopy;

    /** The vector of a send of several chunks that is in flight; else null. */
    private SendVector vector;

    /** The operation of the send in flight. */
    private int operation = HandleRequests.SEND;

    /** Minimum size of a send without a copy, in bytes; the watcher raises it when such sends do not pay. */
    private volatile int zeroCopyBytes;

    /**
     * True if the kernel has refused a zero-copy send. The NOTIF of a refused send reports a copy, because nothing was sent.
     * Accessed by the watcher only.
     */
    private boolean refused;

    /** Zero-copy sends; null before the first. */
    private ZeroCopySends zeroCopies;

    LongSend(StreamRequests requests) {
        this.requests = requests;
        this.set = requests.set();
        this.zeroCopy = set.zeroCopy();
        this.zeroCopyBytes = zeroCopy.leastBytes();
    }

    /** Returns true if these bytes are for {@link #send}. */
    boolean isFor(OutboundQueue queue) {
        return isFor(queue, zeroCopyBytes);
    }

    /** Returns true if a {@link LongSend} is needed. @param zeroCopyBytes minimum size of a send without a copy, in bytes */
    static boolean isFor(OutboundQueue queue, int zeroCopyBytes) {
        return !queue.isInOnePiece() || queue.headBytes() >= zeroCopyBytes;
    }

    /** Returns the operation of the send in flight. Called for a cancellation. */
    int operation() {
        return operation;
    }

    /** Takes the memory that {@link #send} needs. */
    void prepare(OutboundQueue queue) {
        if (vector == null && !queue.isInOnePiece()) {
            vector = set.vectors().take();
        }
        if (zeroCopies == null && zeroCopyBytes < Integer.MAX_VALUE) {
            zeroCopies = new ZeroCopySends(zeroCopy);
        }
    }

    /**
     * Queues a request to send the oldest bytes, after {@link #prepare}.
     *
     * @param file {@link RegisteredFiles#file}
     * @param flags of send(2)
     */
    void send(OutboundQueue queue, long file, int flags) {
        boolean several = !queue.isInOnePiece();
        if (several) {
            vector.describe(queue);
        }
        boolean notCopied = beginZeroCopy(queue, several, flags);
        SubmissionWriter submissions = set.submissions();
        int messageFlags = Sockets.MSG_NOSIGNAL | flags;
        long userData = requests.userData(operation);
        int report = zeroCopy.reportFlag();
        if (several && notCopied) {
            submissions.sendMessageZeroCopy(file, vector.address(), messageFlags, report, userData);
        } else if (several) {
            submissions.sendMessage(file, vector.address(), messageFlags, userData);
        } else if (notCopied) {
            submissions.sendZeroCopy(file, queue.headAddress(), queue.headBytes(), messageFlags, report, userData);
        } else {
            submissions.send(file, queue.headAddress(), queue.headBytes(), messageFlags, userData);
        }
    }

    /** Returns true if it is sent without a copy: then its memory is pinned. What is left at a close (with flags) is copied. */
    private boolean beginZeroCopy(OutboundQueue queue, boolean several, int flags) {
        long bytes = several ? vector.bytes() : queue.headBytes();
        if (bytes < zeroCopyBytes || flags != 0 || several && !zeroCopy.severalPieces()) {
            return false;
        }
        int number = zeroCopies.begin(queue, several ? vector.chunks() : 1);
        if (number == ZeroCopySends.NONE) {
            return false;
        }
        operation = HandleRequests.ZERO_COPY | number;
        requests.begin(); // for the memory, besides the send
        return true;
    }

    /** The send is not in flight any more. */
    void end() {
        operation = HandleRequests.SEND;
        if (vector != null) {
            set.vectors().giveBack(vector);
            vector = null;
        }
    }

    /**
     * Watcher: a zero-copy send completes twice. First it says what it has sent, and by F_MORE whether a NOTIF follows, which it
     * does after most failures as well; the NOTIF says that the memory is free.
     *
     * @return the {@link org.cabrank.lf.Ready} bits to dispatch
     */
    int completed(int operationOfIt, int result, int flags) {
        int number = operationOfIt & ~HandleRequests.ZERO_COPY;
        if ((flags & IoUring.IORING_CQE_F_NOTIF) != 0) {
            if ((result & IoUring.IORING_NOTIF_USAGE_ZC_COPIED) != 0 && !refused) {
                zeroCopyBytes = Integer.MAX_VALUE;
                zeroCopy.noteCopied();
            }
            memoryFree(number);
            return 0;
        }
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            memoryFree(number);
        }
        if (ZeroCopy.isRefusal(result)) {
            refused = true;
            zeroCopyBytes = Integer.MAX_VALUE;
            zeroCopy.noteRefused();
            return requests.sent(0); // it goes again with a copy
        }
        return requests.sent(result);
    }

    /** The ring is gone: nobody will hear of the memory that the network has not given back. */
    void abandoned() {
        if (zeroCopies != null) {
            zeroCopies.keep();
        }
    }

    private void memoryFree(int number) {
        zeroCopies.end(number);
        requests.ended();
    }
}
