package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.ring.Ring;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A completion finds whom it is for, and nobody else, whoever has had the slot before. */
class RequestTableTest {
    private BufferedSet buffered;
    private RequestTable table;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open();
        table = buffered.set().table();
    }

    @AfterEach
    void close() {
        buffered.close();
    }

    private static final class Some extends UnservedRequests {
        private int released;

        Some(RingHandleSet set) {
            super(set);
        }

        @Override
        int completed(int operation, int result, int flags) {
            ended();
            return 0;
        }

        @Override
        void released() {
            released++;
        }
    }

    private Some add() {
        Some some = new Some(buffered.set());
        table.add(some);
        return some;
    }

    @Test
    void completionOfOneWhoHasLeftIsNotItsSuccessors() {
        Some first = add();
        long stale = first.userData(HandleRequests.RECV);
        assertSame(first, table.lookup(stale));
        first.close();
        assertNull(table.lookup(stale));
        Some second = add();
        assertEquals(first.slot(), second.slot(), "the slot is used again");
        assertNotEquals(stale, second.userData(HandleRequests.RECV));
        assertNull(table.lookup(stale));
        assertSame(second, table.lookup(second.userData(HandleRequests.SEND)));
        second.close();
    }

    /** The generation is a field of 24 bits: what overflows must not reach the operation. */
    @Test
    void generationsBeginAnewWithoutTouchingTheOperation() {
        Some some = new Some(buffered.set());
        some.identity(5, RequestTable.GENERATION_MASK + 1);
        assertEquals(HandleRequests.SEND, HandleRequests.operation(some.userData(HandleRequests.SEND)));
        assertEquals(5, HandleRequests.slot(some.userData(HandleRequests.SEND)));
        some.identity(5, RequestTable.GENERATION_MASK);
        assertEquals(HandleRequests.ROOM, HandleRequests.operation(some.userData(HandleRequests.ROOM)));
    }

    @Test
    void slotIsNotGivenOutWhileSomethingIsUnderWay() {
        Some first = add();
        first.begin();
        first.begin();
        first.close();
        assertSame(first, table.lookup(first.userData(HandleRequests.RECV)), "its completions are still to come");
        Some other = add();
        assertNotEquals(first.slot(), other.slot());
        first.completed(HandleRequests.RECV, 0, 0);
        assertEquals(0, first.released);
        first.completed(HandleRequests.RECV, 0, 0);
        assertEquals(1, first.released);
        assertNull(table.lookup(first.userData(HandleRequests.RECV)));
        other.close();
        assertEquals(0, table.live());
    }

    @Test
    void requestsThatAreAbandonedLeaveTheirSlot() {
        Some some = add();
        some.begin();
        some.close();
        some.abandon();
        assertEquals(1, some.released);
        assertEquals(0, table.live());
        assertThrows(IllegalStateException.class, () -> table.remove(some));
    }

    @Test
    void growthKeepsAllWhereTheyAre() {
        List<Some> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(add());
        }
        for (Some some : all) {
            assertSame(some, table.lookup(some.userData(HandleRequests.POLL)));
        }
        assertEquals(1_000, table.live());
        all.forEach(Some::close);
        assertEquals(0, table.live());
    }

    @Test
    void unownedCpuIsFoundNowhere() {
        Some some = add();
        assertNull(table.lookup(HandleRequests.anonymous(HandleRequests.CLOSE)));
        assertNull(table.lookup(Ring.WAKEUP));
        some.close();
    }
}
