package org.cabrank.bench.load;

import java.util.ArrayDeque;
import java.util.Queue;

/** Connections of a worker that have room for requests, in the order in which they became free: the first takes the next request. */
final class FifoSlots {

    private final Queue<Requester> free;

    FifoSlots(int most) {
        free = new ArrayDeque<>(most + 1);
    }

    void begin(Requester[] active) {
        for (Requester requester : active) {
            for (int room = requester.room(); room > 0; room--) {
                free.add(requester);
            }
        }
    }

    void free(Requester requester) {
        free.add(requester);
    }

    Requester next() {
        Requester next = free.poll();
        while (next != null && next.room() == 0) {
            next = free.poll();
        }
        return next;
    }
}
