package org.cabrank.socket;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Batches that no thread uses, shared by the sockets of a set whose batches have one shape. As many batches exist as threads
 * receive at once, one above the other on a thread's stack included. Any thread.
 */
final class IdleBatches {
    /** Named bound: batches of one shape that are kept for the threads that receive next. */
    private static final int IDLE_MAX = 16;

    private final ConcurrentMap<DatagramShape, ArrayBlockingQueue<DatagramBatch>> byShape = new ConcurrentHashMap<>();

    /** Returns the queue for one shape. */
    ArrayBlockingQueue<DatagramBatch> of(DatagramShape shape) {
        return byShape.computeIfAbsent(shape, any -> new ArrayBlockingQueue<>(IDLE_MAX));
    }
}
