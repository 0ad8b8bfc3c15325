package org.cabrank.iouring;

import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Handle;

/**
 * Requests of one descriptor that are under way. Completions find them by a slot in the {@link RequestTable}, which is assigned again only
 * after their last completion. The kernel identifies a request by user_data:
 *
 * <pre>
 *  63      56 55          32 31             0
 * | operation|  generation  |      slot      |
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>{@link #begin} precedes the queuing of a request, and {@link #ended} follows its last completion. So the count is at least the
 *       number of requests that the kernel may still complete.
 *   <li>Once closed, only a completion that is being taken begins another request. So a closed count that has reached 0 stays 0, and
 *       {@link #released} is called exactly once.
 * </ol>
 *
 * <p>The ring's thread begins, ends and closes; in a set with several threads, the holder of the lock of the {@link Relief}; after the end
 * of the pool, the thread that closes the set.
 */
abstract class HandleRequests {
    /** Operations. */
    static final int RECV = 1;

    static final int SEND = 2;
    static final int POLL = 3;
    static final int ACCEPT = 4;

    /** Cancellation, which belongs to no descriptor: only a failure is of interest. */
    static final int CANCEL = 5;

    static final int CLOSE = 6;

    /** Poll for the end of a stream socket that does not receive: {@link EndRequest}. */
    static final int END = 7;

    static final int FILE = 8;

    /** Poll for room in a stream socket: {@link FileSend}. */
    static final int ROOM = 9;

    private static final int OPERATION_SHIFT = 56;
    private static final int GENERATION_SHIFT = 32;
    private static final int CLOSED = 1 << 30;

    private final RingHandleSet set;

    /** Generation and slot; written once, before it is published in the table. */
    private long identity;

    /** Next element of the list of {@link RequestsToArm}. */
    HandleRequests nextArrival;

    /** True if the requests are in the epoll set of the {@link Relief}, or have left the table. Guarded by the relief's lock. */
    boolean seenByRelief;

    /** True if the list of reported requests of the {@link Relief} has these. Used by the thread that leads. */
    boolean listed;

    /** True if a relief has harvested an event and the descriptor was not found empty since. The claim holder clears it before reads. */
    volatile boolean reported;

    /** Number of requests under way, and the bit CLOSED. */
    private int state;

    HandleRequests(RingHandleSet set) {
        this.set = set;
    }

    final RingHandleSet set() {
        return set;
    }

    final void identity(int slot, int generation) {
        identity = (long) (generation & RequestTable.GENERATION_MASK) << GENERATION_SHIFT | slot;
    }

    final int slot() {
        return slot(identity);
    }

    final boolean isNamedBy(long userData) {
        return (userData << 8) >>> 8 == identity;
    }

    final long userData(int operation) {
        return (long) operation << OPERATION_SHIFT | identity;
    }

    /** Returns user data for requests without a descriptor, with the last slot, which is never assigned. */
    static long anonymous(int operation) {
        return (long) operation << OPERATION_SHIFT | (1L << OPERATION_SHIFT) - 1;
    }

    static int slot(long userData) {
        return (int) userData;
    }

    static int operation(long userData) {
        return (int) (userData >>> OPERATION_SHIFT);
    }

    /** Returns true if the request can be repeated: it was cancelled (perhaps its thread ended), interrupted, or nothing was ready. */
    static boolean isToBeAskedAgain(int result) {
        return result == -Errno.ECANCELED || result == -Errno.EINTR || result == -Errno.EAGAIN;
    }

    /** Called before a request is put into the submission queue. */
    final void begin() {
        state++;
    }

    /** Watcher. Called after the last completion of a request was taken. */
    final void ended() {
        if (--state == CLOSED) {
            release();
        }
    }

    final int underWay() {
        return state & ~CLOSED;
    }

    final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /** Claim holder, or the thread that closes the set. From now on only a completion may begin a request. */
    final void markClosed() {
        boolean last = state == 0;
        state |= CLOSED;
        if (last) {
            release();
        }
    }

    /** The thread that closes the set; the ring is gone. Requests do not complete. The kernel uses only memory of zero-copy sends. */
    final void abandon() {
        abandoned();
        state = CLOSED;
        release();
    }

    private void release() {
        set.table().remove(this);
        released();
    }

    /** The handle that completions make ready. */
    abstract Handle handle();

    /** Called before the handle is admitted. Returns true if the watcher must {@link #arm} at once. Throws if it cannot be watched. */
    abstract boolean check() throws java.io.IOException;

    /** Watcher. Makes the kernel watch for events, if it does not already. */
    abstract void arm();

    int fd() {
        return ((RingHandle) handle()).fd();
    }

    /** Constant. Returns false if the descriptor waits for the ring's thread while a {@link Relief} leads. */
    boolean isWatchedByRelief() {
        return false;
    }

    /** Events ({@code EPOLL} bits) by which a {@link Relief} watches the descriptor. */
    int readinessEvents() {
        return 0;
    }

    /** Watcher. Returns true if consecutive completions of a harvest are taken before the handler is called. */
    boolean isGathered() {
        return false;
    }

    /** Watcher. Calls {@link #ended} after a request's last completion. Returns {@link org.cabrank.lf.handle.Ready} bits to dispatch. */
    abstract int completed(int operation, int result, int flags);

    /** Claim holder, when the handle is closed. Ends requests, releases the descriptor and calls {@link #markClosed}. */
    abstract void close();

    /** Claim holder. The descriptor stays open and moves elsewhere. No awaited request may be under way. */
    void retire() {
        throw new IllegalStateException(this + " cannot go on elsewhere");
    }

    /** Last watcher. Returns true if the kernel fills memory of the reactor, which must not be reused before. */
    boolean isFilled() {
        return false;
    }

    /** Called when the ring is gone with requests under way. Does what their completions would have done. */
    void abandoned() {}

    /** Called once, by the last thread, when no request is under way or can begin: memory of requests may be released. */
    abstract void released();
}
