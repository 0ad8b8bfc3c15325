package org.cabrank.lf.dispatch;

import java.util.concurrent.atomic.AtomicReference;

/** The posted handles, the oldest first. They are linked, so nothing is allocated. The bit POSTED prevents duplicates. */
final class PostedHandles {
    private final AtomicReference<HandleState> arrived = new AtomicReference<>();

    /** The handles that the leader has taken over, in order of arrival. */
    private HandleState ordered;

    void push(HandleState handle) {
        HandleState head;
        do {
            head = arrived.get();
            handle.nextPosted = head;
        } while (!arrived.compareAndSet(head, handle));
    }

    /** Takes over the newly posted handles if the handles taken before are used up. Called by the leader. */
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
