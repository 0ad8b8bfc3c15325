package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slots for handles. When a handle leaves, the generation of its slot grows, so late events of the handle are recognised. {@link #lookup}
 * needs no lock for three reasons. A table is published as a whole. The key of an entry is checked. If a handle leaves during a look-up,
 * its claim shows that it is closed.
 */
final class SlotTable {
    static final int SLOTS_MAX = 1 << 24;

    private static final int INITIAL = 64;

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(HandleState[].class);

    private volatile HandleState[] handles = new HandleState[INITIAL];
    private int[] generations = new int[INITIAL];
    private int[] free = new int[INITIAL];
    private int freeCount;
    private int used;

    /** Written with the lock held. Read without the lock. */
    private volatile int live;

    private boolean closed;

    /** Number of handles added by {@link #addJoining} for which {@link #joined} was not called yet. */
    private int joining;

    static int slot(long key) {
        return (int) key;
    }

    synchronized void add(HandleState handle) {
        if (closed) {
            throw new IllegalStateException(handle + " cannot be registered, because its handle set is closed");
        }
        if (freeCount == 0 && used == handles.length) {
            grow();
        }
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        handle.key((long) generations[slot] << 32 | slot);
        ENTRY.setRelease(
                handles, slot,
                handle); // published with its key, because a late event of the previous handle may find the slot
        live++;
    }

    /** Adds a handle. The caller owns its descriptor until {@link #joined}. */
    synchronized void addJoining(HandleState handle) {
        add(handle);
        handle.isJoining = true;
        joining++;
    }

    /** Ends the joining of a handle. Called when the handle has left, or when the set owns its descriptor. */
    synchronized void joined(HandleState handle) {
        if (handle.isJoining) {
            handle.isJoining = false;
            joining--;
            notifyAll();
        }
    }

    private void grow() {
        int size = handles.length * 2;
        if (size > SLOTS_MAX) {
            throw new IllegalStateException("a handle set holds at most " + SLOTS_MAX + " handles");
        }
        generations = Arrays.copyOf(generations, size);
        free = Arrays.copyOf(free, size);
        handles = Arrays.copyOf(handles, size);
    }

    synchronized void remove(HandleState handle) {
        int slot = slot(handle.key());
        if (handles[slot] != handle) {
            throw new IllegalStateException(handle + " is not registered");
        }
        ENTRY.setRelease(handles, slot, null);
        generations[slot]++;
        free[freeCount++] = slot;
        live--;
    }

    HandleState lookup(long key) {
        HandleState[] table = handles;
        int slot = slot(key);
        HandleState handle = slot >= 0 && slot < table.length ? (HandleState) ENTRY.getAcquire(table, slot) : null;
        return handle != null && handle.key() == key ? handle : null;
    }

    int live() {
        return live;
    }

    /** Refuses new handles from now on, and waits until no handle is joining. Returns all handles, which the caller must close. */
    synchronized List<HandleState> close() {
        closed = true;
        boolean interrupted = false;
        while (joining > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return all();
    }

    synchronized List<HandleState> all() {
        List<HandleState> all = new ArrayList<>(live);
        for (HandleState handle : handles) {
            if (handle != null) {
                all.add(handle);
            }
        }
        return all;
    }
}
