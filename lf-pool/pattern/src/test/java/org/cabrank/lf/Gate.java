package org.cabrank.lf;

/** Where a handler waits until the test lets it go on; the test can see that it has come this far. */
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
