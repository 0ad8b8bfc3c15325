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
 *       way includes every request that the kernel may still complete.
 *   <li>After {@link #markClosed}, a request is begun only while a completion of an earlier request is taken. So when the count reaches 0,
 *       it stays 0, and {@link #released} is called exactly once.
 * </ol>
 *
 * <p>In a set with one thread, that thread uses this object. In a set with several threads, the holder of the {@link Relief}'s lock uses
 * it. After the end of the pool, only the thread that closes the set uses it.
 */
abstract class HandleRequests {
    static final int RECV = 1;

    static final int SEND = 2;
    static final int POLL = 3;
    static final int ACCEPT = 4;

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

    /** Generation and slot. Written once, before this object is published in the table. */
    private long identity;

    /** Next element in the list of {@link RequestsToArm}. */
    HandleRequests nextArrival;

    /**
     * True if the {@link Relief} has the descriptor in its epoll set, or if the requests have left the table. Guarded by the relief's lock.
     */
    boolean seenByRelief;

    /** True if this object is in the {@link Relief}'s list of reported requests. Guarded by the relief's lock. */
    boolean listed;

    /** True if a relief has harvested an event, and the descriptor was not found empty since. Cleared by the claim holder before a read. */
    volatile boolean reported;

    /** True if a relief has harvested urgent data. A read stops before urgent data, so it may leave bytes in the socket. */
    volatile boolean urgentReported;

    /** Number of requests under way. The close sets the bit CLOSED. */
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

    /** Returns user data for requests without a descriptor. The user data names the last slot, which is never assigned. */
    static long anonymous(int operation) {
        return (long) operation << OPERATION_SHIFT | (1L << OPERATION_SHIFT) - 1;
    }

    static int slot(long userData) {
        return (int) userData;
    }

    static int operation(long userData) {
        return (int) (userData >>> OPERATION_SHIFT);
    }

    /** Returns true if a request must be repeated. The kernel cancels a request if the thread that made it has ended. */
    static boolean isToBeAskedAgain(int result) {
        return result == -Errno.ECANCELED || result == -Errno.EINTR || result == -Errno.EAGAIN;
    }

    final void begin() {
        state++;
    }

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

    /** Called by the claim holder or by the thread that closes the set. */
    final void markClosed() {
        boolean last = state == 0;
        state |= CLOSED;
        if (last) {
            release();
        }
    }

    /** Called by the thread that closes the set. The requests never complete, because the ring is gone. */
    final void abandon() {
        abandoned();
        state = CLOSED;
        release();
    }

    private void release() {
        set.table().remove(this);
        released();
    }

    abstract Handle handle();

    /** Called before registration. Returns true if the watcher must {@link #arm} the handle. Throws if it cannot be watched. */
    abstract boolean check() throws java.io.IOException;

    /** Called by the watcher. Makes the kernel watch for events, unless it already does. */
    abstract void arm();

    int fd() {
        return ((RingHandle) handle()).fd();
    }

    /** Returns true if a {@link Relief} watches the descriptor while a deputy leads. The result never changes. */
    boolean isWatchedByRelief() {
        return false;
    }

    /** Events ({@code EPOLL} bits) by which a {@link Relief} watches the descriptor. */
    int readinessEvents() {
        return 0;
    }

    /** Returns true if the kernel completes a request for all input of the descriptor. False if the claim holder asks for input later. */
    boolean takesAllInput() {
        return true;
    }

    /** Returns true if the claim holder has stopped the input, and no request for input is under way. */
    boolean isHeld() {
        return false;
    }

    /** Returns true if consecutive completions of a request in one harvest lead to a single call of the handler. */
    boolean isGathered() {
        return false;
    }

    /** Must call {@link #ended} after a request's last completion. Returns {@link org.cabrank.lf.handle.Ready} bits to dispatch. */
    abstract int completed(int operation, int result, int flags);

    /** Called by the claim holder when the handle is closed. Ends requests, releases the descriptor and calls {@link #markClosed}. */
    abstract void close();

    /** Gives up the open descriptor, which moves to another ring. Only an {@link EndRequest} may be under way. */
    void retire() {
        throw new IllegalStateException(this + " cannot be moved to another shard");
    }

    /** Called by the last watcher. Returns true if the kernel may still write to memory of the reactor. */
    boolean isFilled() {
        return false;
    }

    /** Called when the ring is gone and requests were under way. Does the work of their completions. */
    void abandoned() {}

    /** Called once, when no request is under way and none can begin. May release the memory of requests. */
    abstract void released();
}
