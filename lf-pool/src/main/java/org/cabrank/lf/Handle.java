package org.cabrank.lf;

/**
 * A registered descriptor (POSA2: Handle): its event handler, its claim and its timer.
 *
 * <p>An <em>iterative</em> handle has its handler called by one thread at a time. That of a <em>concurrent</em> handle is
 * called by as many threads as have events for it, and must be fit for that: a datagram socket, a listener, where the
 * kernel gives each reader something of its own and nothing is to be kept in order. Such a handle is not deactivated while
 * it is processed, stays armed for edges even in a set that disarms its handles, and is closed when the last thread has
 * left its handler.
 *
 * <p>Its {@link #key} is what the kernel hands back with an event: slot and generation, never a bare descriptor, so that
 * an event that was harvested before the handle was closed is told from one of the handle's successor in that slot.
 *
 * <pre>
 *  63            32 31             0
 * +----------------+----------------+
 * |   generation   |      slot      |
 * +----------------+----------------+
 * </pre>
 */
public abstract class Handle extends ClaimState {
    /** No timer is scheduled. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Named bound: rounds that one claim holder makes for "more" before it lets others have a turn. */
    static final int ROUNDS_MAX = 8;

    private final HandleSet set;
    private final EventHandler handler;
    private long key;

    /**
     * The id of the thread that runs the handler now, or 0. Racy on purpose: only a thread that wrote its id here reads it.
     * An id rather than the thread: storing a reference at every event costs a garbage collector's barrier.
     */
    private long holderId;

    /** The next handle on the posted list. */
    Handle nextPosted;

    /** Why a concurrent handle is to be closed: the first failure of those inside. */
    private volatile Throwable closeCause;

    /** The timer's deadline and place in the heap; guarded by the heap's lock. */
    long deadlineNs = NO_DEADLINE;

    int timerIndex = -1;

    /** An iterative handle. */
    protected Handle(HandleSet set, EventHandler handler) {
        this(set, handler, false);
    }

    protected Handle(HandleSet set, EventHandler handler, boolean concurrent) {
        super(concurrent);
        this.set = set;
        this.handler = handler;
    }

    /** What names this handle to the kernel. */
    public final long key() {
        return key;
    }

    final void key(long key) {
        this.key = key;
    }

    public final HandleSet handleSet() {
        return set;
    }

    public final EventHandler handler() {
        return handler;
    }

    /** Whether several threads may run this handle's handler at once. */
    public final boolean isConcurrent() {
        return isConcurrentState();
    }

    /** Whether the calling thread runs this handle's handler at this moment. */
    public final boolean isHeldByCaller() {
        return holderId == Thread.currentThread().getId() || isConcurrent() && set.isCallerInside(this);
    }

    final void holderId(long threadId) {
        holderId = threadId;
    }

    /**
     * Any thread: has the handler called with {@code ready} as soon as may be; posts that come before the call are merged
     * into one. Inside the handler: the handler is called again after it returns, that of a concurrent handle perhaps
     * sooner and by another thread. Without effect on a closed handle.
     *
     * @throws IllegalArgumentException when {@code ready} is 0 or has other bits than those of {@link Ready}
     */
    public final void post(int ready) {
        if (ready == 0 || (ready & ~Ready.PUBLIC) != 0) { // further bits would be taken for the claim's own
            throw new IllegalArgumentException("bits of Ready are to be posted, not 0x" + Integer.toHexString(ready));
        }
        if (notePosted(ready)) {
            set.enqueuePosted(this);
        }
    }

    /**
     * Any thread: closes the handle and its descriptor. Inside the handler at once, from elsewhere as soon as no thread
     * processes it. A concurrent handle is closed, even from inside, when the last thread has left its handler; no thread
     * enters it from now on. {@link EventHandler#handleClosed} follows. Closing twice has no effect.
     */
    public final void close() {
        if (!isConcurrent() && isHeldByCaller()) {
            set.closeNow(this, null);
        } else if (notePosted(Ready.CLOSE)) {
            set.enqueuePosted(this);
        }
    }

    /**
     * Inside the handler: closes as {@link #close} does, and hands {@code cause} to {@link EventHandler#handleClosed}. Of
     * several causes, given by threads inside a concurrent handle, the first counts.
     *
     * @throws IllegalStateException when the caller does not run this handle's handler
     */
    public final void closeBecauseOf(Throwable cause) {
        if (!isHeldByCaller()) {
            throw new IllegalStateException("only the handler of a handle may close it with a cause");
        }
        if (isConcurrent()) {
            noteFailure(cause);
            close();
        } else {
            set.closeNow(this, cause);
        }
    }

    /** Inside a concurrent handle's handler: why it is to be closed. */
    final void noteFailure(Throwable cause) {
        synchronized (this) {
            if (closeCause == null) {
                closeCause = cause;
            }
        }
    }

    /** Why a concurrent handle is closed; null: it was asked for. */
    final Throwable closeCause() {
        return closeCause;
    }

    public final boolean isClosed() {
        return isClosedState();
    }

    /**
     * Any thread: calls the handler with {@link Ready#TIMER} once the set's clock has passed {@code deadlineNs}
     * ({@link HandleSet#nanoTime}), which replaces an earlier deadline; {@link #NO_DEADLINE} cancels.
     */
    public final void scheduleTimer(long deadlineNs) {
        set.schedule(this, deadlineNs);
    }

    /** Whether the reactor has something to arm and to close. */
    boolean hasDescriptor() {
        return true;
    }

    /** The descriptor and what it is, for messages. */
    @Override
    public abstract String toString();
}
