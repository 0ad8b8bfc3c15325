package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StatisticsTest {

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        assertEquals(2, Statistics.median(100, 2, 1));
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertEquals(2.5, Statistics.median(4, 1, 3, 2));
    }

    @Test
    void theMedianLeavesItsArgumentAsItWas() {
        double[] values = {3, 1, 2};
        Statistics.median(values);
        assertEquals(3, values[0]);
    }

    @Test
    void nothingHasNoMedianAndNoEnds() {
        assertTrue(Double.isNaN(Statistics.median(List.of())));
        assertTrue(Double.isNaN(Statistics.min(List.of())));
        assertTrue(Double.isNaN(Statistics.max(List.of())));
    }

    @Test
    void theEndsAreTheLeastAndTheMost() {
        assertEquals(-1, Statistics.min(List.of(3.0, -1.0, 2.0)));
        assertEquals(3, Statistics.max(List.of(3.0, -1.0, 2.0)));
    }
}
