package org.cabrank.lf.dispatch;

import java.util.Arrays;

/**
 * Handles that wait for a deadline, in a binary heap. Any thread may change a deadline under a lock. The earliest deadline is read without
 * the lock. The heap suits deadlines that rarely move.
 */
final class TimerHeap {
    private HandleState[] heap = new HandleState[16];
    private int size;
    private volatile long earliestNs = Dispatcher.NO_DEADLINE;

    long earliestNs() {
        return earliestNs;
    }

    /** Sets or moves the deadline of a handle. {@link Dispatcher#NO_DEADLINE} cancels it. Returns true if it is now the earliest. */
    synchronized boolean schedule(HandleState handle, long deadlineNs) {
        if (handle.timerIndex >= 0) {
            removeAt(handle.timerIndex);
        }
        handle.deadlineNs = deadlineNs;
        if (deadlineNs != Dispatcher.NO_DEADLINE) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            siftUp(size++, handle);
        }
        earliestNs = size == 0 ? Dispatcher.NO_DEADLINE : heap[0].deadlineNs;
        return size > 0 && heap[0] == handle;
    }

    synchronized HandleState takeExpired(long nowNs) {
        if (size == 0 || heap[0].deadlineNs - nowNs > 0) {
            return null;
        }
        HandleState expired = heap[0];
        removeAt(0);
        expired.deadlineNs = Dispatcher.NO_DEADLINE;
        earliestNs = size == 0 ? Dispatcher.NO_DEADLINE : heap[0].deadlineNs;
        return expired;
    }

    private void removeAt(int index) {
        heap[index].timerIndex = -1;
        HandleState last = heap[--size];
        heap[size] = null;
        if (index < size) {
            siftDown(index, last);
            if (heap[index] == last) {
                siftUp(index, last);
            }
        }
    }

    private void siftUp(int from, HandleState handle) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (heap[parent].deadlineNs - handle.deadlineNs <= 0) {
                break;
            }
            place(index, heap[parent]);
            index = parent;
        }
        place(index, handle);
    }

    private void siftDown(int from, HandleState handle) {
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && heap[child + 1].deadlineNs - heap[child].deadlineNs < 0) {
                child++;
            }
            if (heap[child].deadlineNs - handle.deadlineNs >= 0) {
                break;
            }
            place(index, heap[child]);
            index = child;
        }
        place(index, handle);
    }

    private void place(int index, HandleState handle) {
        heap[index] = handle;
        handle.timerIndex = index;
    }
}
