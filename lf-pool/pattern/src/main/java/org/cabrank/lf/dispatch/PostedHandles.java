package org.cabrank.lf.dispatch;

import java.util.concurrent.atomic.AtomicReference;

/** Posted handles, oldest first. Linked through the handles, each of which is listed at most once (POSTED), so nothing is allocated. */
final class PostedHandles {
    private final AtomicReference<HandleState> arrived = new AtomicReference<>();

    /** Taken over by the leader, in order of arrival. */
    private HandleState ordered;

    void push(HandleState handle) {
        HandleState head;
        do {
            head = arrived.get();
            handle.nextPosted = head;
        } while (!arrived.compareAndSet(head, handle));
    }

    /** Leader: takes over newly posted handles when those taken before are used up. */
    void takeArrived() {
        if (ordered == null && arrived.get() != null) {
            reverse(arrived.getAndSet(null));
        }
    }

    HandleState poll() {
        HandleState oldest = ordered;
        if (oldest != null) {
            ordered = oldest.nextPosted;
            oldest.nextPosted = null;
        }
        return oldest;
    }

    private void reverse(HandleState newest) {
        HandleState handle = newest;
        while (handle != null) {
            HandleState next = handle.nextPosted;
            handle.nextPosted = ordered;
            ordered = handle;
            handle = next;
        }
    }

    boolean isEmpty() {
        return ordered == null && arrived.get() == null;
    }
}
