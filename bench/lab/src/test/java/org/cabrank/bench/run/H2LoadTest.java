package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The output of h2load, as it prints it. */
final class H2LoadTest {

    private static final String END = """
            finished in 511.78ms, 54992.00 req/s, 6.03MB/s
            requests: %d total, 27560 started, %d done, %d succeeded, %d failed, 0 errored, 0 timeout
            status codes: 27496 2xx, 0 3xx, 0 4xx, 0 5xx
            """;

    @Test
    void theRateIsThatOfTheMainDuration() throws Exception {
        assertEquals(54_992, H2Load.perSecond("starting benchmark...\n" + END.formatted(27_496, 27_496, 27_496, 0)));
    }

    @Test
    void aRequestThatFailedMakesTheRateWorthless() {
        IOException failed =
                assertThrows(IOException.class, () -> H2Load.perSecond(END.formatted(27_496, 27_496, 27_495, 1)));
        assertTrue(failed.getMessage().contains("27495 succeeded, 1 failed"), failed.getMessage());
        assertThrows(IOException.class, () -> H2Load.perSecond(END.formatted(0, 0, 0, 0)));
    }

    @Test
    void outputWithoutARateIsQuoted() {
        IOException other = assertThrows(IOException.class, () -> H2Load.perSecond("starting\nCould not connect\n"));
        assertTrue(other.getMessage().contains("'Could not connect'"), other.getMessage());
        assertThrows(IOException.class, () -> H2Load.perSecond(""));
    }
}
