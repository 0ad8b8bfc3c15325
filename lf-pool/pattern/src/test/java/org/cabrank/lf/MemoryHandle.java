package org.cabrank.lf;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;

/** A handle of {@link MemoryHandleSet}: a queue of numbered items instead of a socket's buffer. */
final class MemoryHandle extends Handle {
    private final String name;

    /** Events that the kernel would know; guarded by the set's lock. */
    final Deque<Long> inbox = new ArrayDeque<>();

    boolean armed = true;
    boolean gone;
    long produced;

    final Ledger ledger;

    MemoryHandle(MemoryHandleSet set, String name, Ledger ledger, EventHandler handler) {
        this(set, name, ledger, handler, false);
    }

    MemoryHandle(MemoryHandleSet set, String name, Ledger ledger, EventHandler handler, boolean concurrent) {
        super(set, handler, concurrent);
        this.name = name;
        this.ledger = ledger;
    }

    MemoryHandleSet set() {
        return (MemoryHandleSet) handleSet();
    }

    @Override
    public String toString() {
        return name;
    }
}
