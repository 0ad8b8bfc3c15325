package org.cabrank.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;

/** Equal cores for whoever comes: first come, first served, a stretch of work at a time. */
final class Cores {

    private final VirtualTime time;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    Cores(int count, VirtualTime time) {
        free = count;
        this.time = time;
    }

    /** Works for so long as soon as a core is free, and then goes on with {@code then}, which may ask for a core again. */
    void work(double ns, Runnable then) {
        if (free > 0) {
            free--;
            begin(ns, then);
        } else {
            waiting.add(() -> begin(ns, then));
        }
    }

    private void begin(double ns, Runnable then) {
        time.after(ns, () -> {
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            } else {
                free++;
            }
            then.run();
        });
    }
}
