package org.cabrank.lf.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaddedCountsTest {
    private static final int CACHE_LINE_LONGS = 64 / Long.BYTES;

    @Test
    void eachNumberCountsForItself() {
        PaddedCounts counts = new PaddedCounts(3);
        counts.add(0, 1);
        counts.add(2, 40);
        counts.add(2, 2);
        assertEquals(3, counts.size());
        assertEquals(1, counts.valueOpaque(0));
        assertEquals(0, counts.valueOpaque(1));
        assertEquals(42, counts.valueOpaque(2));
    }

    @Test
    void theMostSoFarIsKept() {
        PaddedCounts counts = new PaddedCounts(1);
        counts.raiseTo(0, 5);
        counts.raiseTo(0, 3);
        assertEquals(5, counts.valueOpaque(0));
        counts.raiseTo(0, 7);
        assertEquals(7, counts.valueOpaque(0));
    }

    /** Whatever lies before and behind the array in memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 9})
    void wholeCacheLinesKeepCountsFromOtherObjects(int size) throws Exception {
        PaddedCounts counts = new PaddedCounts(size);
        for (int number = 0; number < size; number++) {
            counts.add(number, 1);
        }
        Field field = PaddedCounts.class.getDeclaredField("counts");
        field.setAccessible(true);
        long[] places = (long[]) field.get(counts);
        for (int place = 0; place < places.length; place++) {
            boolean inside = place >= CACHE_LINE_LONGS && place < places.length - CACHE_LINE_LONGS;
            assertTrue(inside || places[place] == 0, "a count is at " + place + " of " + places.length);
        }
    }
}
