package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RampUpTest {

    private static final int ALL = RampUp.UNDER_WAY_MAX + 2;
    private static final long TIMEOUT_NS = 100;

    private final RampUp rampUp = new RampUp(ALL, TIMEOUT_NS, 0);

    @Test
    void onlySoManyAreOnTheirWayAtATime() {
        for (int i = 0; i < RampUp.UNDER_WAY_MAX; i++) {
            assertEquals(i, rampUp.next());
        }
        assertEquals(-1, rampUp.next());
        rampUp.finished(1);
        assertEquals(RampUp.UNDER_WAY_MAX, rampUp.next());
        assertEquals(-1, rampUp.next());
    }

    @Test
    void itIsCompleteWhenAllHaveFinishedAndNoneIsBegunTwice() {
        int begun = 0;
        for (int i = 0; i < ALL; i++) {
            assertFalse(rampUp.complete());
            begun += rampUp.next() >= 0 ? 1 : 0;
            rampUp.finished(i);
        }
        assertEquals(ALL, begun);
        assertTrue(rampUp.complete());
        assertEquals(-1, rampUp.next());
    }

    @Test
    void itStallsWhenNoConnectionHasFinishedForTheTimeOut() {
        assertFalse(rampUp.stalled(TIMEOUT_NS));
        assertTrue(rampUp.stalled(TIMEOUT_NS + 1));
        rampUp.finished(TIMEOUT_NS);
        assertFalse(rampUp.stalled(2 * TIMEOUT_NS));
        assertTrue(rampUp.stalled(2 * TIMEOUT_NS + 1));
    }
}
