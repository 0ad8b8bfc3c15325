package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/**
 * Ends the wait of a ring's watcher, with a completion whose user data is {@link Ring#WAKEUP}. {@link Ring} calls {@link
 * #wake}, {@link #enabled} and {@link #close} under one lock, and never after close.
 */
public abstract class Waker {
    /** Result of a completion that a message has posted. A poll never returns it, only an event mask or an error. */
    public static final int MESSAGE = Integer.MAX_VALUE;

    /** Returns true if this result of {@link #wake} means that the descriptor is not a ring any more. */
    public static boolean isRingGone(int result) {
        return result == -Errno.EBADF || result == -Errno.EBADFD;
    }

    /** Any thread. Returns 0, or {@code -errno} if no thread was woken, unless {@link #isRingGone} and there is a reserve. */
    abstract int wake();

    abstract void enabled();

    /** Watcher. Called before it waits. */
    abstract void arm(SubmissionQueue submissions);

    /** Watcher. Called for a completion of this waker with this result and these flags. */
    abstract void harvested(int result, int flags);

    abstract void close();
}
