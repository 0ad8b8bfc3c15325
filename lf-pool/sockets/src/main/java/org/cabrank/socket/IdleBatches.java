package org.cabrank.socket;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.cabrank.kernel.Kernel;

/** Unused batches of a set's sockets, by shape. A thread uses one batch for each receive, nested receives included. */
final class IdleBatches {
    private static final int IDLE_MAX = 16;

    private final ConcurrentMap<DatagramShape, OfShape> byShape = new ConcurrentHashMap<>();

    OfShape of(DatagramShape shape) {
        return byShape.computeIfAbsent(shape, OfShape::new);
    }

    static final class OfShape {
        private final DatagramShape shape;
        private final ArrayBlockingQueue<DatagramBatch> idle = new ArrayBlockingQueue<>(IDLE_MAX);

        private OfShape(DatagramShape shape) {
            this.shape = shape;
        }

        DatagramBatch take(Kernel kernel) {
            DatagramBatch free = idle.poll();
            return free == null ? new DatagramBatch(kernel, shape) : free;
        }

        void giveBack(DatagramBatch used) {
            idle.offer(used); // if there is no room, the garbage collector takes it
        }
    }
}
