package org.cabrank.tls;

import java.util.ArrayDeque;
import java.util.Queue;

/** Limits the number of handshakes of one pool that run public-key operations at the same time. Any thread may use it. */
final class HandshakeBound {
    private final int max;
    private final Queue<TlsHandshake> waiting = new ArrayDeque<>();
    private int running;

    HandshakeBound(int max) {
        this.max = max;
    }

    /** Returns true if the operations may run now. The caller must then call {@link #leave}. If false, {@code mayGoOn} is called later. */
    synchronized boolean tryEnter(TlsHandshake handshake) {
        if (running < max) {
            running++;
            return true;
        }
        waiting.add(handshake);
        return false;
    }

    /** Called when the operations of a handshake have run, or cannot run. Lets the next waiting handshake run its operations. */
    void leave() {
        TlsHandshake next = next();
        while (next != null && !next.mayGoOn()) {
            next = next();
        }
    }

    private synchronized TlsHandshake next() {
        TlsHandshake next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }
}
