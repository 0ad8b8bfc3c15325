package org.cabrank.iouring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Slots for {@link HandleRequests}. Any thread may add and remove requests. The watcher looks them up without a lock. */
final class RequestTable {
    static final int GENERATION_MASK = (1 << 24) - 1;

    static final int SLOTS_MAX = 1 << 24;

    private static final int INITIAL = 64;
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(HandleRequests[].class);

    private volatile HandleRequests[] entries = new HandleRequests[INITIAL];
    private int[] generations = new int[INITIAL];
    private int[] free = new int[INITIAL];
    private int freeCount;
    private int used;
    private volatile int live;

    synchronized void add(HandleRequests requests) {
        if (freeCount == 0 && used == entries.length) {
            grow();
        }
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        requests.identity(slot, generations[slot]);
        live++;
        ENTRY.setRelease(entries, slot, requests);
    }

    private void grow() {
        int size = entries.length * 2;
        if (size > SLOTS_MAX) {
            throw new IllegalStateException("a ring serves at most " + SLOTS_MAX + " descriptors");
        }
        generations = Arrays.copyOf(generations, size);
        free = Arrays.copyOf(free, size);
        entries = Arrays.copyOf(entries, size);
    }

    synchronized void remove(HandleRequests requests) {
        int slot = requests.slot();
        if (entries[slot] != requests) {
            throw new IllegalStateException(requests + " has left its slot before");
        }
        ENTRY.setRelease(entries, slot, null);
        generations[slot]++;
        free[freeCount++] = slot;
        live--;
    }

    /** Returns null if {@code userData} names no requests in the table. */
    HandleRequests lookup(long userData) {
        HandleRequests[] table = entries;
        int slot = HandleRequests.slot(userData);
        if (slot < 0 || slot >= table.length) {
            return null;
        }
        HandleRequests found = (HandleRequests) ENTRY.getAcquire(table, slot);
        return found != null && found.isNamedBy(userData) ? found : null;
    }

    int live() {
        return live;
    }

    synchronized List<HandleRequests> all() {
        List<HandleRequests> all = new ArrayList<>(live);
        for (HandleRequests entry : entries) {
            if (entry != null) {
                all.add(entry);
            }
        }
        return all;
    }
}
