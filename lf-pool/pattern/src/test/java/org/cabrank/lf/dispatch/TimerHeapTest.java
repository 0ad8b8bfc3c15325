package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerHeapTest {
    private final TimerHeap heap = new TimerHeap();

    private static HandleState handle(String name) {
        return new NamedHandle(name);
    }

    @Test
    void emptyHeapHasNoDeadline() {
        assertEquals(Dispatcher.NO_DEADLINE, heap.earliestNs());
        assertNull(heap.takeExpired(Long.MAX_VALUE));
    }

    @Test
    void earliestComesFirstAndNotBeforeItsTime() {
        HandleState late = handle("late");
        HandleState early = handle("early");
        assertTrue(heap.schedule(late, 200));
        assertTrue(heap.schedule(early, 100));
        assertEquals(100, heap.earliestNs());
        assertNull(heap.takeExpired(99));
        assertSame(early, heap.takeExpired(100));
        assertEquals(200, heap.earliestNs());
        assertNull(heap.takeExpired(199));
        assertSame(late, heap.takeExpired(1000));
        assertNull(heap.takeExpired(1000));
        assertEquals(Dispatcher.NO_DEADLINE, heap.earliestNs());
    }

    @Test
    void onlyTheEarliestIsReportedAsSuch() {
        assertTrue(heap.schedule(handle("first"), 100));
        assertFalse(heap.schedule(handle("second"), 200));
        assertTrue(heap.schedule(handle("third"), 50));
    }

    @Test
    void timerIsMovedBothWays() {
        HandleState moved = handle("moved");
        HandleState other = handle("other");
        heap.schedule(moved, 100);
        heap.schedule(other, 200);
        assertFalse(heap.schedule(moved, 300));
        assertEquals(200, heap.earliestNs());
        assertTrue(heap.schedule(moved, 50));
        assertEquals(50, heap.earliestNs());
        assertSame(moved, heap.takeExpired(60));
        assertNull(heap.takeExpired(60), "it stands there once");
    }

    @Test
    void timerIsCancelled() {
        HandleState cancelled = handle("cancelled");
        HandleState other = handle("other");
        heap.schedule(cancelled, 100);
        heap.schedule(other, 200);
        assertFalse(heap.schedule(cancelled, Dispatcher.NO_DEADLINE));
        assertEquals(200, heap.earliestNs());
        assertSame(other, heap.takeExpired(1000));
        assertNull(heap.takeExpired(1000));
        assertFalse(heap.schedule(cancelled, Dispatcher.NO_DEADLINE), "cancelling twice has no effect");
    }

    @Test
    void expiredTimerCanBeScheduledAgain() {
        HandleState handle = handle("handle");
        heap.schedule(handle, 100);
        heap.takeExpired(100);
        assertTrue(heap.schedule(handle, 200));
        assertSame(handle, heap.takeExpired(200));
    }

    @Test
    void clockMayWrapAround() {
        long before = Long.MAX_VALUE - 10;
        long after = Long.MIN_VALUE + 10;
        HandleState early = handle("early");
        HandleState late = handle("late");
        heap.schedule(late, after);
        assertTrue(heap.schedule(early, before));
        assertNull(heap.takeExpired(before - 1));
        assertSame(early, heap.takeExpired(before));
        assertNull(heap.takeExpired(before + 5));
        assertSame(late, heap.takeExpired(after));
    }

    @Test
    void manyTimersMovedAndCancelledAtRandomExpireInOrder() {
        Random random = new Random(42);
        List<HandleState> handles = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            handles.add(handle("handle " + i));
        }
        for (int i = 0; i < 5_000; i++) {
            HandleState handle = handles.get(random.nextInt(handles.size()));
            heap.schedule(handle, random.nextInt(5) == 0 ? Dispatcher.NO_DEADLINE : random.nextInt(1_000_000));
            long earliest =
                    handles.stream().mapToLong(each -> each.deadlineNs).min().orElseThrow();
            assertEquals(earliest, heap.earliestNs());
        }
        List<Long> expected = handles.stream()
                .map(each -> each.deadlineNs)
                .filter(deadline -> deadline != Dispatcher.NO_DEADLINE)
                .sorted(Comparator.naturalOrder())
                .toList();
        List<Long> taken = new ArrayList<>();
        while (heap.earliestNs() != Dispatcher.NO_DEADLINE) {
            long due = heap.earliestNs();
            assertNull(heap.takeExpired(due - 1));
            heap.takeExpired(due);
            taken.add(due);
        }
        assertEquals(expected, taken);
    }
}
