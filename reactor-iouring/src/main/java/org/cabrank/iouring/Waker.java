package org.cabrank.iouring;

/**
 * Ends the wait of a ring's watcher, with a completion whose user data is {@link Ring#WAKEUP}. {@link Ring} calls {@link
 * #wake}, {@link #enabled} and {@link #close} under one lock, and never after close.
 */
abstract class Waker {
    /** Any thread: 0, or {@code -errno}: nobody was woken. */
    abstract int wake();

    /** The ring's thread: the ring takes requests and messages from now on. */
    abstract void enabled();

    /** Watcher, before it waits. */
    abstract void arm(SubmissionQueue submissions);

    /** Watcher: has met a completion of this waker with these flags. */
    abstract void harvested(int flags);

    abstract void close();
}
