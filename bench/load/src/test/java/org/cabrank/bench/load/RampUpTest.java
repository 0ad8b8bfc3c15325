package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RampUpTest {

    private static final int ALL = RampUp.ON_THEIR_WAY_MAX + 2;
    private static final long TIMEOUT_NS = 100;

    private final RampUp rampUp = new RampUp(ALL, TIMEOUT_NS, 0);

    @Test
    void onlySoManyAreOnTheirWayAtATime() {
        for (int i = 0; i < RampUp.ON_THEIR_WAY_MAX; i++) {
            assertEquals(i, rampUp.next());
        }
        assertEquals(-1, rampUp.next());
        rampUp.settled(1);
        assertEquals(RampUp.ON_THEIR_WAY_MAX, rampUp.next());
        assertEquals(-1, rampUp.next());
    }

    @Test
    void itIsCompleteWhenAllHaveSettledAndNoneIsBegunTwice() {
        int begun = 0;
        for (int i = 0; i < ALL; i++) {
            assertFalse(rampUp.complete());
            begun += rampUp.next() >= 0 ? 1 : 0;
            rampUp.settled(i);
        }
        assertEquals(ALL, begun);
        assertTrue(rampUp.complete());
        assertEquals(-1, rampUp.next());
    }

    @Test
    void itStallsWhenNothingHasSettledForTheTimeOut() {
        assertFalse(rampUp.stalled(TIMEOUT_NS));
        assertTrue(rampUp.stalled(TIMEOUT_NS + 1));
        rampUp.settled(TIMEOUT_NS);
        assertFalse(rampUp.stalled(2 * TIMEOUT_NS));
        assertTrue(rampUp.stalled(2 * TIMEOUT_NS + 1));
    }
}
