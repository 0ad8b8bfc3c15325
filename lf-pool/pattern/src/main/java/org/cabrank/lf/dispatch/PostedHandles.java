package org.cabrank.lf.dispatch;

import java.util.concurrent.atomic.AtomicReference;

/** Posted handles, oldest first. The list links the handles themselves, so it allocates nothing. POSTED prevents a second entry. */
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

    /** Called by the leader: takes over newly posted handles if it has used up the handles that it took before. */
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
