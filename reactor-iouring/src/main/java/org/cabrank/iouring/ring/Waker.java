package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/**
 * Ends the wait of a ring's watcher, with a completion whose user data is {@link Ring#WAKEUP}. {@link Ring} calls {@link
 * #wake}, {@link #enabled} and {@link #close} under one lock, and never after close.
 */
public abstract class Waker {
    /** Result of a completion that a message has posted. A poll's result is a mask of events, or an error: never this. */
    public static final int MESSAGE = Integer.MAX_VALUE;

    /** Returns true if this result of {@link #wake} means that the descriptor is not, or no longer, a ring's. */
    public static boolean isRingGone(int result) {
        return result == -Errno.EBADF || result == -Errno.EBADFD;
    }

    /**
     * Any thread: 0, or {@code -errno}. Nobody was woken then, unless {@link #isRingGone} and there is a reserve.
     */
    abstract int wake();

    /** The ring's thread: the ring takes requests and messages from now on. */
    abstract void enabled();

    /** Watcher, before it waits. */
    abstract void arm(SubmissionQueue submissions);

    /** Watcher: has met a completion of this waker with this result and these flags. */
    abstract void harvested(int result, int flags);

    abstract void close();
}
