package org.cabrank.socket;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Kernel;

/** Buffers from which the threads of a socket send. Shared, because each buffer takes {@value UdpSocket#BYTES_MAX} bytes. */
final class OutgoingDatagrams {
    private final Kernel kernel;
    private final ArrayBlockingQueue<OutgoingDatagram> idle;
    private final AtomicInteger made = new AtomicInteger();
    private final int max;

    OutgoingDatagrams(Kernel kernel, int max) {
        this.kernel = kernel;
        this.max = max;
        this.idle = new ArrayBlockingQueue<>(max);
    }

    /** Takes a buffer, or waits some microseconds for one, uninterruptibly. Returns null if there is no memory for the first buffer. */
    OutgoingDatagram take() {
        OutgoingDatagram free = idle.poll();
        if (free == null) {
            free = make();
        }
        return free != null || made.get() == 0 ? free : await();
    }

    /** Called by one thread at a time, because a thread may only wait for a buffer that exists. */
    private synchronized OutgoingDatagram make() {
        OutgoingDatagram returned = idle.poll(); // while this thread waited for another thread's allocation
        if (returned != null || made.get() == max) {
            return returned;
        }
        try {
            OutgoingDatagram fresh = new OutgoingDatagram(kernel);
            made.incrementAndGet();
            return fresh;
        } catch (OutOfMemoryError exhausted) {
            return null; // the caller waits until another thread returns a buffer
        }
    }

    private OutgoingDatagram await() {
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return idle.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void giveBack(OutgoingDatagram used) {
        idle.add(used);
    }
}
