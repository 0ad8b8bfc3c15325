package org.cabrank.iouring.ring;

import java.util.function.IntConsumer;

/** Submissions that wait for the ring's owner, in order. Only one thread at a time may use the outbox. */
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

    /** Passes on the descriptors of all close submissions. See {@link SubmissionQueue#takePendingCloses}. */
    public void takePendingCloses(long closing, IntConsumer descriptors) {
        waiting.descriptorsOf(closing, descriptors);
    }
}
