package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slots for handles. A slot's generation grows when its handle leaves, so that late events are recognised. {@link #lookup} needs no lock: a
 * table is published whole, the key of an entry is checked, and a handle that leaves during the look-up is seen to be closed.
 */
final class SlotTable {
    /** Named bound: number of handles in one set. */
    static final int SLOTS_MAX = 1 << 24;

    private static final int INITIAL = 64;

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(HandleState[].class);

    private volatile HandleState[] handles = new HandleState[INITIAL];
    private int[] generations = new int[INITIAL];
    private int[] free = new int[INITIAL];
    private int freeCount;
    private int used;

    /** Written with the lock held, read without. */
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

    /** Adds a handle whose caller owns the descriptor until {@link #joined}. */
    synchronized void addJoining(HandleState handle) {
        add(handle);
        handle.isJoining = true;
        joining++;
    }

    /** Called when the handle has left, or will be closed with its set. */
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

    /** Refuses handles from now on, waits until no handle is joining, and returns all handles, which the caller closes. */
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
