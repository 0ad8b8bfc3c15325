package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.cabrank.bench.measure.ProcessSample.CpuTicks;
import org.junit.jupiter.api.Test;

final class CpuTicksTest {

    static final String STAT_TAIL = " S 1 4242 4242 0 -1 4194560 12345 0 3 0 715 96 0 0 20 0 21 0 987654 "
            + "4200000000 30000 18446744073709551615 1 1 0 0 0 0 0 4096 17 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0\n";

    @Test
    void userAndSystemTimeAreFields14And15() {
        assertEquals(new CpuTicks(715, 96), CpuTicks.parse("4242 (java)" + STAT_TAIL));
    }

    @Test
    void aNameWithSpacesAndParenthesesIsNotCountedAsFields() {
        assertEquals(new CpuTicks(715, 96), CpuTicks.parse("4242 (a) S 1 (b c)" + STAT_TAIL));
    }
}
