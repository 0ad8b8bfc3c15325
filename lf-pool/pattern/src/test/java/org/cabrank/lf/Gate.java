package org.cabrank.lf;

/** A gate at which a handler waits until the test opens it; the test can see that the handler has reached it. */
final class Gate {
    private final VirtualTime time;
    private boolean open;
    private int entered;

    Gate(VirtualTime time) {
        this.time = time;
    }

    void pass() {
        time.change(() -> entered++);
        time.rest(() -> open);
    }

    void open() {
        time.change(() -> open = true);
    }

    void awaitEntered() {
        awaitEntered(1);
    }

    /** Waits until so many calls have come here, since the beginning. */
    void awaitEntered(int calls) {
        time.await(calls + " handlers have come to the gate", () -> entered >= calls);
    }
}
