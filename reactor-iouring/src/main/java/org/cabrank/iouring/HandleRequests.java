package org.cabrank.iouring;

import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Handle;

/**
 * Requests of one descriptor that are under way. A completion finds this object by its slot in the {@link RequestTable}. The slot is
 * assigned again only after the last completion. The kernel identifies a request by user_data:
 *
 * <pre>
 *  63      56 55          32 31             0
 * | operation|  generation  |      slot      |
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>{@link #begin} precedes the queuing of a request, and {@link #ended} follows its last completion. So the count of requests under
 *       way is never less than the number of requests that the kernel may still complete.
 *   <li>After {@link #markClosed}, only the taking of a completion begins another request. So the count stays 0 once it is 0, and {@link
 *       #released} is called exactly once.
 * </ol>
 *
 * <p>Used by the ring's thread. In a set with several threads: by the holder of the {@link Relief}'s lock. After the end of the pool: by
 * the thread that closes the set.
 */
abstract class HandleRequests {
    /** Operations. */
    static final int RECV = 1;

    static final int SEND = 2;
    static final int POLL = 3;
    static final int ACCEPT = 4;

    /** Cancellation. It belongs to no descriptor, and only its failure is of interest. */
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

    /** Generation and slot; written once, before this object is published in the table. */
    private long identity;

    /** Next element in the list of {@link RequestsToArm}. */
    HandleRequests nextArrival;

    /** True if the requests are in the epoll set of the {@link Relief}, or have left the table. Guarded by the relief's lock. */
    boolean seenByRelief;

    /** True if this object is in the {@link Relief}'s list of reported requests. Used by the thread that leads. */
    boolean listed;

    /** True if a relief has harvested an event since the descriptor was found empty. The claim holder clears the flag before a read. */
    volatile boolean reported;

    /** Number of requests under way, plus the bit CLOSED. */
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

    /** Returns user data for requests without a descriptor. It names the last slot, which is never assigned. */
    static long anonymous(int operation) {
        return (long) operation << OPERATION_SHIFT | (1L << OPERATION_SHIFT) - 1;
    }

    static int slot(long userData) {
        return (int) userData;
    }

    static int operation(long userData) {
        return (int) (userData >>> OPERATION_SHIFT);
    }

    /** Returns true if a request must be repeated: it was cancelled (perhaps as its thread ended) or interrupted, or nothing was ready. */
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

    /** Thread that closes the set. Requests do not complete: the ring is gone, and the kernel uses only memory of zero-copy sends. */
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

    /** Called before the handle is admitted. Returns true if the watcher must {@link #arm} it at once. Throws if it cannot be watched. */
    abstract boolean check() throws java.io.IOException;

    /** Watcher. Makes the kernel watch for events, unless the kernel watches already. */
    abstract void arm();

    int fd() {
        return ((RingHandle) handle()).fd();
    }

    /** Returns false if events of the descriptor wait for the ring's thread while a {@link Relief} leads. Constant for each object. */
    boolean isWatchedByRelief() {
        return false;
    }

    /** Events ({@code EPOLL} bits) by which a {@link Relief} watches the descriptor. */
    int readinessEvents() {
        return 0;
    }

    /** Watcher. Returns true if all consecutive completions of a harvest are taken before the handler is called. */
    boolean isGathered() {
        return false;
    }

    /** Watcher. Calls {@link #ended} after a request's last completion. Returns {@link org.cabrank.lf.handle.Ready} bits to dispatch. */
    abstract int completed(int operation, int result, int flags);

    /** Called by the claim holder when the handle is closed. Ends requests, releases the descriptor and calls {@link #markClosed}. */
    abstract void close();

    /** Claim holder. Gives up the descriptor, which stays open and moves elsewhere. No awaited request may be under way. */
    void retire() {
        throw new IllegalStateException(this + " cannot be moved to another shard");
    }

    /** Called by the last watcher. Returns true if the kernel still writes to memory of the reactor, which must not be reused yet. */
    boolean isFilled() {
        return false;
    }

    /** Called when the ring is gone and requests were under way. Does the work of their completions. */
    void abandoned() {}

    /** Called once, by the last thread, when no request is under way and none can begin. May release the memory of requests. */
    abstract void released();
}
