package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.measure.EventCounters.UncountableException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.PerfEvents;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class EventCountersTest {

    private static final long OWN_PID = ProcessHandle.current().pid();
    private static final int CALLS = 10_000;

    @Test
    void theSystemCallsOfAllThreadsAreCounted() throws Exception {
        Kernel kernel = Kernels.system();
        CountableEvents countable = CountableEvents.of(kernel);
        assumeTrue(
                countable.events().containsKey(CountedEvent.SYSTEM_CALLS),
                () -> countable.leftOut().toString());
        try (EventCounters counters = EventCounters.open(kernel, countable, OWN_PID)) {
            long before = counters.read().get(CountedEvent.SYSTEM_CALLS);
            // Made while earlier threads are counted already: the thread counts with its maker.
            Thread later = new Thread(() -> call(kernel), "later");
            later.start();
            call(kernel);
            later.join();
            long counted = counters.read().get(CountedEvent.SYSTEM_CALLS) - before;
            assertTrue(counted >= 2 * CALLS, counted + " were counted");
        }
    }

    private static void call(Kernel kernel) {
        for (int i = 0; i < CALLS; i++) {
            kernel.gettid();
        }
    }

    @Test
    void aProcessWithTooFewDescriptorsIsToldToRaiseThem() throws Exception {
        Kernel full = new ForwardingKernel(Kernels.system()) {
            @Override
            public int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
                return -Errno.EMFILE;
            }
        };
        CountableEvents one = new CountableEvents(
                Map.of(CountedEvent.SYSTEM_CALLS, new PerfEvent(PerfEvents.PERF_TYPE_TRACEPOINT, 1)), List.of());
        UncountableException refused =
                assertThrows(UncountableException.class, () -> EventCounters.open(full, one, OWN_PID));
        assertTrue(refused.getMessage().contains("ulimit -n"), refused.getMessage());
    }

    @Test
    void whatTookTurnsStandsForTheWholeTime() {
        assertEquals(100, EventCounters.whole(100, 50, 50));
        assertEquals(400, EventCounters.whole(100, 80, 20));
        assertEquals(0, EventCounters.whole(0, 80, 0));
    }
}
