package org.cabrank.bench.load.datagram;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** First sign of life of a target: an answer or a network error. Any thread may use it. */
final class FirstSign {
    private final AtomicReference<DatagramGenerator.Start> sign = new AtomicReference<>();
    private final CountDownLatch seen = new CountDownLatch(1);

    void note(DatagramGenerator.Start what) {
        if (sign.compareAndSet(null, what)) {
            seen.countDown();
        }
    }

    DatagramGenerator.Start await(long ns) throws InterruptedException {
        return seen.await(ns, TimeUnit.NANOSECONDS) ? sign.get() : DatagramGenerator.Start.SILENT;
    }
}
