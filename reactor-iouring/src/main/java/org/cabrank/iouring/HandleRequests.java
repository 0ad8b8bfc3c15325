package org.cabrank.iouring;

import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Handle;

/**
 * Requests of one descriptor that are under way. Completions find them by a slot in the {@link RequestTable},
 * and a slot is given to another only when the last completion of the one before has come.
 *
 * <p>What identifies a request to the kernel (user_data):
 *
 * <pre>
 *  63      56 55          32 31             0
 * +----------+--------------+----------------+
 * | operation|  generation  |      slot      |
 * +----------+--------------+----------------+
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>{@link #begin} comes before a request is put into the submission queue, {@link #ended} after its last completion was
 *       taken, so the count is never less than what the kernel may still complete.
 *   <li>Once closed, only a completion that is being taken begins another request; so when the closed count has come down to
 *       nothing it stays there, and {@link #released} is called exactly once.
 * </ol>
 *
 * <p>The ring's thread begins, ends and closes; in a set with several threads, whoever has the lock of the {@link Relief}; after the
 * end of the pool, the thread that closes the set.
 */
abstract class HandleRequests {
    /** Operations, which distinguish the completions of one descriptor. */
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

    /** True if it is in the epoll set of the {@link Relief}, or has left the table. Guarded by the relief's lock. */
    boolean seenByRelief;

    /** The relief has noted that the kernel has reported an event. By the thread that leads. */
    boolean listed;

    /**
     * True if the kernel has reported an event to a relief, and the descriptor was not found empty since. Set by the leading deputy;
     * cleared by the claim holder before it reads, so that a later event sets it again.
     */
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

    /**
     * Returns true if a request has ended because of the ring and not of its descriptor, so that it can be repeated: it was cancelled,
     * perhaps because its submitting thread has ended, or interrupted, or nothing was ready yet.
     */
    static boolean isToBeAskedAgain(int result) {
        return result == -Errno.ECANCELED || result == -Errno.EINTR || result == -Errno.EAGAIN;
    }

    // ---- what is under way ----

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

    /**
     * Called by the thread that closes the set when the ring is gone: requests under way do not complete here. The kernel does not use
     * their memory any more, except for zero-copy sends.
     */
    final void abandon() {
        abandoned();
        state = CLOSED;
        release();
    }

    private void release() {
        set.table().remove(this);
        released();
    }

    // ---- what the kinds of descriptors add ----

    /** The handle that completions make ready. */
    abstract Handle handle();

    /**
     * Called before the handle is admitted.
     *
     * @return true if the watcher must {@link #arm} it at once
     * @throws java.io.IOException if it cannot be watched
     */
    abstract boolean check() throws java.io.IOException;

    /** Watcher. Makes the kernel watch for events, if it does not already. */
    abstract void arm();

    int fd() {
        return ((RingHandle) handle()).fd();
    }

    /** Returns false if the descriptor waits for the ring's thread while a {@link Relief} leads. Constant. */
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

    /**
     * Watcher. Takes one completion, and calls {@link #ended} if it is the last of its request.
     *
     * @return the {@link org.cabrank.lf.handle.Ready} bits to dispatch; 0: none
     */
    abstract int completed(int operation, int result, int flags);

    /** Claim holder. Called when the handle is closed: ends requests under way, releases the descriptor and calls {@link #markClosed}. */
    abstract void close();

    /** Claim holder. The descriptor stays open and moves elsewhere. No awaited request may be under way. */
    void retire() {
        throw new IllegalStateException(this + " cannot go on elsewhere");
    }

    /** Last watcher. Returns true if the kernel fills memory of the reactor, which must not be reused before. */
    boolean isFilled() {
        return false;
    }

    /** Called when the ring is gone with requests under way. Does for the descriptor what their completions would have done. */
    void abandoned() {}

    /** Called once, by the last thread, when no request is under way or can begin: memory of requests may be released. */
    abstract void released();
}
