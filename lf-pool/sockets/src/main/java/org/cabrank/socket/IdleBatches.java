package org.cabrank.socket;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.cabrank.kernel.Kernel;

/**
 * Batches that no thread uses, shared by the sockets of a set whose batches have one shape. As many batches exist as threads
 * receive at once, one above the other on a thread's stack included. Any thread.
 */
final class IdleBatches {
    /** Named bound: batches of one shape that are kept for the threads that receive next. */
    private static final int IDLE_MAX = 16;

    private final ConcurrentMap<DatagramShape, OfShape> byShape = new ConcurrentHashMap<>();

    /** Returns the batches of one shape. */
    OfShape of(DatagramShape shape) {
        return byShape.computeIfAbsent(shape, OfShape::new);
    }

    /** Idle batches of one shape. Any thread. */
    static final class OfShape {
        private final DatagramShape shape;
        private final ArrayBlockingQueue<DatagramBatch> idle = new ArrayBlockingQueue<>(IDLE_MAX);

        private OfShape(DatagramShape shape) {
            this.shape = shape;
        }

        /** Returns an idle batch, or a new one. */
        DatagramBatch take(Kernel kernel) {
            DatagramBatch free = idle.poll();
            return free == null ? new DatagramBatch(kernel, shape) : free;
        }

        void giveBack(DatagramBatch used) {
            idle.offer(used); // otherwise it is left to the garbage collector
        }
    }
}
