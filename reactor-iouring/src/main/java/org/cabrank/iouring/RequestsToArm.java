package org.cabrank.iouring;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests that the watcher must arm before its next wait, oldest first. Any thread may add requests. Invariant: <i>{@link #add} needs no
 * memory</i>, because a registration must not fail after the requests are in the {@link RequestTable}.
 */
final class RequestsToArm {
    /** List of added requests, newest first, linked by {@link HandleRequests#nextArrival}. */
    private final AtomicReference<HandleRequests> newest = new AtomicReference<>();

    /** List of the requests taken from {@link #newest} and not yet polled, oldest first. Used by the watcher. */
    private HandleRequests oldest;

    void add(HandleRequests requests) {
        HandleRequests before;
        do {
            before = newest.get();
            requests.nextArrival = before;
        } while (!newest.compareAndSet(before, requests));
    }

    HandleRequests poll() {
        if (oldest == null) {
            if (newest.get() == null) {
                return null;
            }
            reverse(newest.getAndSet(null));
        }
        HandleRequests polled = oldest;
        oldest = polled.nextArrival;
        polled.nextArrival = null;
        return polled;
    }

    private void reverse(HandleRequests taken) {
        HandleRequests left = taken;
        while (left != null) {
            HandleRequests next = left.nextArrival;
            left.nextArrival = oldest;
            oldest = left;
            left = next;
        }
    }
}
