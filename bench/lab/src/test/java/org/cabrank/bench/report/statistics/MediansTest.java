package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MediansTest {

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        assertEquals(2, Medians.of(100, 2, 1));
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertEquals(2.5, Medians.of(4, 1, 3, 2));
    }

    @Test
    void theMedianLeavesItsArgumentAsItWas() {
        double[] values = {3, 1, 2};
        Medians.of(values);
        assertEquals(3, values[0]);
    }

    @Test
    void nothingHasNoMedian() {
        assertTrue(Double.isNaN(Medians.of(List.of())));
    }
}
