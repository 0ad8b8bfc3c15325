package org.cabrank.tls;

import java.util.ArrayDeque;
import java.util.Queue;

/** Bounds the handshakes of one pool whose public-key operations run at the same time. Any thread. */
final class HandshakeBound {
    private final int max;
    private final Queue<TlsHandshake> waiting = new ArrayDeque<>();
    private int running;

    HandshakeBound(int max) {
        this.max = max;
    }

    /** Returns true if the caller may run its operations; {@link #leave} follows. Otherwise it is notified when it may try again. */
    synchronized boolean tryEnter(TlsHandshake handshake) {
        if (running < max) {
            running++;
            return true;
        }
        waiting.add(handshake);
        return false;
    }

    /** The operations of a handshake have ended, or cannot run: the next waiting handshake may run its own. */
    void leave() {
        TlsHandshake next = next();
        while (next != null && !next.mayGoOn()) {
            next = next();
        }
    }

    /** Returns the handshake that gets the caller's place; null if none waits. */
    private synchronized TlsHandshake next() {
        TlsHandshake next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }
}
