package org.cabrank.bench.run;

import java.io.IOException;
import java.util.Map;
import org.cabrank.bench.measure.CountableEvents;
import org.cabrank.bench.measure.CountedEvent;
import org.cabrank.bench.measure.EventCounters;
import org.cabrank.bench.measure.EventCounters.UncountableException;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;

/** Counts the events of a server in an interval. Counting slows the server down, so the interval is used for nothing else. */
final class Counting implements Loader.Watch, AutoCloseable {

    private final EventCounters counters;
    private Map<CountedEvent, Long> before = Map.of();
    private Map<CountedEvent, Long> after = Map.of();

    /**
     * Opens counters for a server that is stopped.
     *
     * @throws UncountableException if the kernel refuses
     */
    Counting(Kernel kernel, CountableEvents countable, long pid) throws UncountableException, IOException {
        counters = EventCounters.open(kernel, countable, pid);
    }

    @Override
    public void intervalBegins() throws KernelException {
        before = counters.read();
    }

    @Override
    public void intervalEnds() throws KernelException {
        after = counters.read();
    }

    /** {@code measured} in the interval, with what was counted in it. */
    Measured added(Measured measured) {
        return measured.with(measured.counts()
                .withEvents(
                        counted(CountedEvent.SYSTEM_CALLS),
                        counted(CountedEvent.INSTRUCTIONS),
                        counted(CountedEvent.CYCLES),
                        counted(CountedEvent.CACHE_MISSES)));
    }

    /** Null when it was not counted. */
    private Long counted(CountedEvent event) {
        Long total = after.get(event);
        return total == null ? null : (Long) (total - before.get(event));
    }

    @Override
    public void close() {
        counters.close();
    }
}
