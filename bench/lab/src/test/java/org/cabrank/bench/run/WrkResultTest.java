package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WrkResultTest {

    private static final int ANSWER_BYTES = 116;
    private static final String NO_ERRORS = " connect 0 read 0 write 0 status 0 timeout 0";

    @Test
    void numbersAndTheWholeDistributionAreRead() {
        WrkResult result =
                WrkResult.parse("requests 10 duration 300123 bytes 1160" + NO_ERRORS, " 5 1 200 7 1500 1 90000 1");
        assertEquals(10, result.answers());
        assertEquals(300_123_000, result.elapsedNs());
        assertEquals(1_160, result.bytes());
        assertEquals(Map.of(), result.errors());
        assertEquals(10, result.latencies().getTotalCount());
        assertEquals(7, result.latencies().getCountAtValue(200_000));
        assertTrue(
                result.latencies().valuesAreEquivalent(5_000, result.latencies().getMinValue()));
        assertTrue(result.latencies()
                .valuesAreEquivalent(200_000, result.latencies().getValueAtPercentile(50)));
        assertTrue(result.latencies()
                .valuesAreEquivalent(90_000_000, result.latencies().getMaxValue()));
    }

    @Test
    void everyKindOfErrorIsCountedByItsOwnName() {
        WrkResult result = WrkResult.parse(
                "requests 10 duration 300123 bytes 1160 connect 1 read 2 write 3 status 4 timeout 5", " 200 10");
        assertEquals(Set.of(1L, 2L, 3L, 4L, 5L), Set.copyOf(result.errors().values()));
        assertEquals(4, result.errors().get("answers with an error's status"));
    }

    @Test
    void aRunWithoutAnAnswerHasNoLatencies() {
        WrkResult result = WrkResult.parse("requests 0 duration 300123 bytes 0" + NO_ERRORS, "");
        assertEquals(0, result.answers());
        assertEquals(0, result.latencies().getTotalCount());
    }

    @Test
    void whatTheScriptDoesNotSayIsRefused() {
        for (String result : new String[] {
            "", "requests", "requests many", "requests 1 duration 2", "requests 1 duration 2 bytes 3 connect 0"
        }) {
            assertThrows(IllegalArgumentException.class, () -> WrkResult.parse(result, ""), result);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> WrkResult.parse("requests 1 duration 2 bytes 3" + NO_ERRORS, " 200 1 300"));
    }

    @Test
    void answersOfAnotherLengthAreAnErrorAndPartsOfOneForEachConnectionAreNot() {
        int connections = 4;
        for (int more : new int[] {0, 1, connections * ANSWER_BYTES}) {
            assertEquals(Map.of(), errors(10 * ANSWER_BYTES + more, connections), more + " more");
        }
        assertEquals(1, errors(10 * ANSWER_BYTES - 1, connections).size());
        assertEquals(
                1, errors((10 + connections) * ANSWER_BYTES + 1, connections).size());
    }

    private static Map<String, Long> errors(int bytes, int connections) {
        return WrkLoad.errors(
                WrkResult.parse("requests 10 duration 1 bytes " + bytes + NO_ERRORS, " 200 10"),
                connections,
                ANSWER_BYTES);
    }
}
