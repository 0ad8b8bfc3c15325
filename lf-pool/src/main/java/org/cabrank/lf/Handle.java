package org.cabrank.lf;

/**
 * A registered descriptor (POSA2: Handle): its event handler, its claim and its timer.
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

    /** The timer's deadline and place in the heap; guarded by the heap's lock. */
    long deadlineNs = NO_DEADLINE;

    int timerIndex = -1;

    protected Handle(HandleSet set, EventHandler handler) {
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

    /** Whether the calling thread runs this handle's handler at this moment. */
    public final boolean isHeldByCaller() {
        return holderId == Thread.currentThread().getId();
    }

    final void holderId(long threadId) {
        holderId = threadId;
    }

    /**
     * Any thread: has the handler called with {@code ready} as soon as may be; posts that come before the call are merged
     * into one. Inside the handler: the handler is called again after it returns. Without effect on a closed handle.
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
     * processes it. {@link EventHandler#handleClosed} follows. Closing twice has no effect.
     */
    public final void close() {
        if (isHeldByCaller()) {
            set.closeNow(this, null);
        } else if (notePosted(Ready.CLOSE)) {
            set.enqueuePosted(this);
        }
    }

    /** Inside the handler: closes at once, and hands {@code cause} to {@link EventHandler#handleClosed}. */
    public final void closeBecauseOf(Throwable cause) {
        if (!isHeldByCaller()) {
            throw new IllegalStateException("only the handler of a handle may close it with a cause");
        }
        set.closeNow(this, cause);
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
