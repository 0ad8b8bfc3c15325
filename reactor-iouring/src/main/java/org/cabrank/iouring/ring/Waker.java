package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/** Ends the wait of a ring's watcher by a completion of {@link Ring#WAKEUP}. One lock guards wake, enabled and close; close comes last. */
public abstract class Waker {
    /** Result of a completion that a message has posted. A poll returns an event mask or an error, never this value. */
    public static final int MESSAGE = Integer.MAX_VALUE;

    /** Returns true if this result of {@link #wake} means that the descriptor is not a ring any more. */
    public static boolean isRingGone(int result) {
        return result == -Errno.EBADF || result == -Errno.EBADFD;
    }

    /** Any thread. Returns 0, or {@code -errno} if no thread was woken. If {@link #isRingGone}, a reserve may have woken it. */
    abstract int wake();

    abstract void enabled();

    /** Called by the watcher before it waits. */
    abstract void arm(SubmissionQueue submissions);

    /** Called by the watcher for a completion of this waker. */
    abstract void harvested(int result, int flags);

    abstract void close();
}
