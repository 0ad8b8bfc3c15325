package org.cabrank.bench.load;

import java.util.ArrayDeque;
import java.util.Queue;

/** The connection that has been free for longest takes the next request. */
final class FifoSlots implements Slots {

    private final Queue<Requester> free;

    /** {@code most}: how many requests the connections can have under way together. */
    FifoSlots(int most) {
        free = new ArrayDeque<>(most + 1);
    }

    @Override
    public void begin(Requester[] active) {
        for (Requester requester : active) {
            for (int room = requester.room(); room > 0; room--) {
                free.add(requester);
            }
        }
    }

    @Override
    public void free(Requester requester) {
        free.add(requester);
    }

    @Override
    public Requester next() {
        Requester next = free.poll();
        while (next != null && next.room() == 0) {
            next = free.poll();
        }
        return next;
    }
}
