package org.cabrank.iouring.ring;

import java.util.function.BooleanSupplier;

/** Requests that test the kernel. The owner of a ring makes them before any other request. */
public final class Trial {
    /** Takes a completion of the trial. */
    public interface Taker {
        void take(long userData, int result, int flags);
    }

    private final Ring ring;
    private final Taker taker;
    private boolean woken;

    public Trial(Ring ring, Taker taker) {
        this.ring = ring;
        this.taker = taker;
    }

    /** Waits, and passes completions to the taker, until {@code over} is true. Returns false after a timeout, or if the ring is broken. */
    public boolean await(BooleanSupplier over, long timeoutNs) {
        long startNs = System.nanoTime();
        long leftNs = timeoutNs;
        while (!over.getAsBoolean() && leftNs > 0 && ring.await(1, 0, leftNs) >= 0) {
            takeAll();
            leftNs = startNs + timeoutNs - System.nanoTime();
        }
        return over.getAsBoolean();
    }

    private void takeAll() {
        CompletionQueue completions = ring.completions();
        int available = completions.available();
        for (int i = 0; i < available; i++) {
            long userData = completions.userData(i);
            if (userData == Ring.WAKEUP) {
                ring.woken(completions.result(i), completions.flags(i));
                woken = true;
            } else {
                taker.take(userData, completions.result(i), completions.flags(i));
            }
        }
        completions.advance(available);
    }

    /** Called at the end of the trial. If the trial has consumed a wake-up, wakes the next wait. */
    public void end() {
        if (woken) {
            ring.wake();
        }
    }
}
