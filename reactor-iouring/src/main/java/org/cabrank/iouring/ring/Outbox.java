package org.cabrank.iouring.ring;

import java.util.function.IntConsumer;

/**
 * Submissions that wait for the owner of a ring, because another thread has asked for them, or the owner is away. First in, first
 * out. One thread at a time.
 */
public final class Outbox extends SubmissionWriter {
    private final Backlog waiting = new Backlog();

    @Override
    void append(long first, long second, long third, long fourth, long fifth, long sixth) {
        waiting.append(first, second, third, fourth, fifth, sixth);
    }

    /** Owner: queues all. */
    public void moveTo(SubmissionQueue queue) {
        while (waiting.count() > 0) {
            waiting.moveFirst(queue);
        }
    }

    /** As {@link SubmissionQueue#takePendingCloses}: hands over the descriptors of close submissions. */
    public void takePendingCloses(long closing, IntConsumer descriptors) {
        waiting.descriptorsOf(closing, descriptors);
    }
}
