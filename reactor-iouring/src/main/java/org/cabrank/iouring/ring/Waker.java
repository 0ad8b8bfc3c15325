package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/** Ends the wait of a ring's owner by a completion of {@link Ring#WAKEUP}. The ring's lock guards wake, enabled and close. */
public abstract class Waker {
    /** Result of a completion that a message has posted. A poll returns an event mask or an error, never this value. */
    public static final int MESSAGE = Integer.MAX_VALUE;

    /** Returns true if this result of {@link #wake} means that the descriptor is not a ring any more. */
    public static boolean isRingGone(int result) {
        return result == -Errno.EBADF || result == -Errno.EBADFD;
    }

    /** Returns 0 or {@code -errno}. If {@link #isRingGone} accepts the result, an eventfd may still have woken the watcher. */
    abstract int wake();

    abstract void enabled();

    /** Called by the watcher before it waits. */
    abstract void arm(SubmissionQueue submissions);

    /** Called by the watcher for a completion of this waker. */
    abstract void harvested(int result, int flags);

    abstract void close();
}
