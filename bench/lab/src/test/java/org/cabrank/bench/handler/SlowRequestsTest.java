package org.cabrank.bench.handler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Slow requests: how they change, and how long they may burn. */
class SlowRequestsTest {

    @Test
    void aSwitchChangesRequestsThatBeginAfterwards() {
        SlowSwitch slow = new SlowSwitch();
        HandlerWork work = new HandlerWork(slow);
        assertFalse(work.perform());
        assertTrue(work.mayBlock(), "a server that runs its handlers elsewhere has to from the start");
        slow.set(new SlowRequests(1_000, 1, BlockingWay.LOCK));
        assertTrue(work.perform());
        slow.set(SlowRequests.NONE);
        assertFalse(work.perform());
    }

    @Test
    void burningForLongIsRefusedBeforeAHandlerDoes() {
        assertThrows(IllegalArgumentException.class, () -> new SlowRequests(1, 1_000_000_000L, BlockingWay.BURN));
    }
}
