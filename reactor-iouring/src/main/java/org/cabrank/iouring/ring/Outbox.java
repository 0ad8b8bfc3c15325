package org.cabrank.iouring.ring;

import java.util.function.IntConsumer;

/** Submissions that wait for the ring's owner, in order. They are of other threads, or of a blocked owner. One thread at a time. */
public final class Outbox extends SubmissionWriter {
    private final Backlog waiting = new Backlog();

    @Override
    void append(long first, long second, long third, long fourth, long fifth, long sixth) {
        waiting.append(first, second, third, fourth, fifth, sixth);
    }

    public void moveTo(SubmissionQueue queue) {
        while (waiting.count() > 0) {
            waiting.moveFirst(queue);
        }
    }

    /** Passes on the descriptors of close submissions: see {@link SubmissionQueue#takePendingCloses}. */
    public void takePendingCloses(long closing, IntConsumer descriptors) {
        waiting.descriptorsOf(closing, descriptors);
    }
}
