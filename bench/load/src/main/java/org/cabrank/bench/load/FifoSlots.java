package org.cabrank.bench.load;

import java.util.ArrayDeque;
import java.util.Queue;

/** Queue of a worker's connections that have room for a request. The connection that has been free for longest takes the next request. */
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
