package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private final SlotTable table = new SlotTable();

    private static HandleState handle(String name) {
        return new NamedHandle(name);
    }

    private HandleState added(String name) {
        HandleState handle = handle(name);
        table.add(handle);
        return handle;
    }

    @Test
    void handleIsFoundByItsKey() {
        HandleState first = added("first");
        HandleState second = added("second");
        assertSame(first, table.lookup(first.key()));
        assertSame(second, table.lookup(second.key()));
        assertEquals(2, table.live());
        assertEquals(List.of(first, second), table.all());
    }

    @Test
    void slotIsUsedAgainWithAnotherGeneration() {
        HandleState first = added("first");
        table.remove(first);
        HandleState second = added("second");
        assertEquals(SlotTable.slot(first.key()), SlotTable.slot(second.key()));
        assertNotEquals(first.key(), second.key());
        assertNull(table.lookup(first.key()), "a late event is not its successor's");
        assertSame(second, table.lookup(second.key()));
    }

    @Test
    void keysAreNeverNegativeAndForeignKeysHaveNoHandle() {
        HandleState handle = added("handle");
        assertTrue(SlotTable.slot(handle.key()) >= 0);
        assertNull(table.lookup(-1));
        assertNull(table.lookup(handle.key() + 1));
        assertNull(table.lookup(handle.key() | 1L << 32));
        assertNull(table.lookup(Long.MAX_VALUE));
    }

    @Test
    void tableGrowsAndKeepsItsHandles() {
        List<HandleState> handles = new ArrayList<>();
        Set<Long> keys = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            handles.add(added("handle " + i));
            keys.add(handles.get(i).key());
        }
        assertEquals(1000, keys.size());
        for (HandleState handle : handles) {
            assertSame(handle, table.lookup(handle.key()));
        }
        handles.forEach(table::remove);
        assertEquals(0, table.live());
        assertTrue(table.all().isEmpty());
        for (HandleState handle : handles) {
            assertNull(table.lookup(handle.key()));
        }
    }

    @Test
    void noSlotIsLostByComingAndGoing() {
        List<HandleState> resident = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            resident.add(added("resident " + i));
        }
        for (int i = 0; i < 10_000; i++) {
            HandleState guest = added("guest");
            assertEquals(10, SlotTable.slot(guest.key()));
            table.remove(guest);
        }
        for (HandleState handle : resident) {
            assertSame(handle, table.lookup(handle.key()));
        }
    }

    @Test
    void removingWhatHasLeftIsAMistake() {
        HandleState handle = added("handle");
        table.remove(handle);
        assertEquals(
                "handle is not registered",
                assertThrows(IllegalStateException.class, () -> table.remove(handle))
                        .getMessage());
        added("successor");
        assertThrows(IllegalStateException.class, () -> table.remove(handle));
    }
}
