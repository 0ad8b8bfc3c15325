package org.cabrank.bench.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.attach.BeanValues.Participant;
import org.junit.jupiter.api.Test;

/** Looks at the threads of a pool, at given times. */
final class OccupationSamplesTest {
    private static final StackTraceElement[] STACK = {
        new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
        new StackTraceElement("java.util.Helper", "help", "Helper.java", 2),
        new StackTraceElement("com.example.Query", "run", "Query.java", 3)
    };

    private final OccupationSamples samples = new OccupationSamples(thread -> Optional.of(STACK));

    private static Map<String, List<Participant>> pool(Participant... threads) {
        return Map.of("pool", List.of(threads));
    }

    private static Participant busy(String name, long processed) {
        return new Participant(name, "PROCESSING", processed);
    }

    private static Participant free(String name, long processed) {
        return new Participant(name, "FOLLOWER", processed);
    }

    private void sample(long nowNs, Participant... threads) throws IOException {
        samples.sample(nowNs, () -> pool(threads));
    }

    private PoolOccupation occupation() {
        return samples.occupations().get(0);
    }

    @Test
    void handlerInSeveralSamplesIsNamedWithItsStackTrace() throws IOException {
        sample(0, busy("a", 7), free("b", 1));
        sample(10, busy("a", 7), free("b", 1));
        sample(20, busy("a", 7), free("b", 1));
        sample(30, free("a", 8), free("b", 1));
        assertEquals(
                new PoolOccupation(
                        "pool",
                        4,
                        0,
                        List.of(new LongHandler(
                                "a", 20, "com.example.Query.run(Query.java:3) in java.lang.Thread.sleep"))),
                occupation());
    }

    @Test
    void shortHandlersAreNotNamedHoweverOftenTheThreadIsBusy() throws IOException {
        sample(0, busy("a", 7));
        sample(10, busy("a", 8));
        sample(20, busy("a", 9));
        assertEquals(new PoolOccupation("pool", 3, 3, List.of()), occupation());
    }

    @Test
    void stackOfAThreadThatHasGoneOnIsDropped() throws IOException {
        sample(0, busy("a", 7));
        boolean[] asked = {false};
        samples.sample(10, () -> {
            Map<String, List<Participant>> found = pool(asked[0] ? free("a", 8) : busy("a", 7));
            asked[0] = true;
            return found;
        });
        assertEquals(List.of(new LongHandler("a", 10, "")), occupation().handlers());
    }

    @Test
    void stackThatCameTooLateIsTakenAgain() throws IOException {
        boolean[] missed = {true};
        OccupationSamples patient = new OccupationSamples(thread -> missed[0] ? Optional.empty() : Optional.of(STACK));
        patient.sample(0, () -> pool(busy("a", 7)));
        patient.sample(10, () -> pool(busy("a", 7)));
        missed[0] = false;
        patient.sample(20, () -> pool(busy("a", 7)));
        assertEquals(
                "com.example.Query.run(Query.java:3) in java.lang.Thread.sleep",
                patient.occupations().get(0).handlers().get(0).place());
    }

    @Test
    void longestHandlerComesFirst() throws IOException {
        sample(0, busy("a", 1), busy("b", 1));
        sample(10, busy("a", 1), busy("b", 1));
        sample(20, busy("a", 2), busy("b", 1));
        List<LongHandler> handlers = occupation().handlers();
        assertEquals(
                List.of("b", "a"), handlers.stream().map(LongHandler::thread).toList());
        assertEquals(3, occupation().allBusy());
    }
}
