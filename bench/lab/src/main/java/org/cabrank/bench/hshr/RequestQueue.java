package org.cabrank.bench.hshr;

import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;

/**
 * The bounded queue between one producer and the workers, and their waiting on both ends.
 *
 * <p>The queue itself is JCTools' for a single producer: an offer is two stores, a poll one compare-and-set. The JDK's
 * {@code ArrayBlockingQueue} takes a lock at both ends and wakes a sleeper at each put; its {@code LinkedTransferQueue} has
 * no bound and allocates a node per element.
 */
final class RequestQueue<T> {

    private final SpmcVarHandleArrayQueue<T> items;
    private final IdleWorkers idle;
    private final long spinNs;
    private final int refillAt;

    /** The producer, while it waits for room. */
    private volatile Thread producer;

    private volatile boolean closed;
    private volatile long fullCount;

    /**
     * @param capacity at least 2; rounded up to a power of two
     * @param threads the workers; the array must be complete before the first {@link #take}
     * @param spinNs time in ns for which one worker spins before it sleeps; 0 if spinning would take the CPU from the
     *     producer
     */
    RequestQueue(int capacity, Thread[] threads, long spinNs) {
        items = new SpmcVarHandleArrayQueue<>(capacity);
        idle = new IdleWorkers(threads);
        this.spinNs = spinNs;
        refillAt = items.capacity() / 2;
    }

    /** The producer: waits while the queue is full. */
    void put(T item) {
        while (!items.offer(item)) {
            awaitRoom();
        }
        idle.wakeOne();
    }

    /** Until it is half empty: waking the producer for each free place would cost two context switches per request. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one producer
    private void awaitRoom() {
        fullCount = fullCount + 1;
        producer = Thread.currentThread();
        while (items.size() > refillAt) {
            LockSupport.park(this);
        }
        producer = null;
    }

    /**
     * A worker: waits for an item.
     *
     * @param worker its number
     * @return null when the queue is closed and empty
     */
    T take(int worker) {
        for (; ; ) {
            T item = items.poll();
            if (item == null) {
                item = lookOn();
            }
            if (item == null) {
                item = sleep(worker);
            }
            if (item != null) {
                taken();
                return item;
            }
            if (closed && items.isEmpty()) {
                return null;
            }
        }
    }

    private void taken() {
        Thread waiting = producer;
        if (waiting != null && items.size() <= refillAt) {
            LockSupport.unpark(waiting);
        }
        if (!items.isEmpty()) {
            idle.wakeOne();
        }
    }

    /** Spins for an item; only one worker spins at a time, and the other workers sleep. */
    private T lookOn() {
        if (spinNs == 0 || !idle.beginSearch()) {
            return null;
        }
        long start = System.nanoTime();
        T item;
        do {
            Thread.onSpinWait();
            item = items.poll();
        } while (item == null && !closed && System.nanoTime() - start < spinNs);
        idle.endSearch();
        return item;
    }

    private T sleep(int worker) {
        idle.lieDown(worker);
        T item = items.poll();
        while (item == null && !closed && idle.isAsleep(worker)) {
            LockSupport.park(this);
        }
        if (!idle.getUp(worker)) {
            idle.endSearch();
        }
        return item;
    }

    /**
     * Closes the queue, after the last {@link #put}. Workers take the remaining requests; then {@link #take} returns null.
     */
    void close() {
        closed = true;
        idle.wakeAll();
    }

    /** Number of times that the producer had to wait. */
    long fullCount() {
        return fullCount;
    }
}
