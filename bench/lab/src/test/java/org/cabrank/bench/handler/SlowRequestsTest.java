package org.cabrank.bench.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slow requests: which are slow, for how long, and how that changes. */
class SlowRequestsTest {

    private static final int DRAWN = 1_000_000;

    @ParameterizedTest
    @EnumSource(TimeSpread.class)
    void timesHaveTheirMean(TimeSpread spread) {
        SplittableRandom random = new SplittableRandom(7);
        double sum = 0;
        for (int i = 0; i < DRAWN; i++) {
            sum += spread.draw(random);
        }
        // The standard deviation of a bimodal time is 5 means: that of a million's mean is a 200th.
        assertEquals(1, sum / DRAWN, 0.02);
    }

    @Test
    void oneInAHundredBimodalTimesIsAHundredTimesAsLong() {
        SplittableRandom random = new SplittableRandom(8);
        double least = TimeSpread.BIMODAL.draw(random);
        int longer = 0;
        for (int i = 0; i < DRAWN; i++) {
            double time = TimeSpread.BIMODAL.draw(random);
            if (time > least) {
                assertEquals(TimeSpread.LONG_TIMES, time / least, 1e-9);
                longer++;
            }
        }
        assertEquals(DRAWN / 100, longer, DRAWN / 100 / 20);
    }

    @Test
    void aSwitchChangesRequestsThatBeginAfterwards() {
        SlowSwitch slow = new SlowSwitch();
        HandlerWork work = new HandlerWork(BusyWork.NONE, slow);
        assertFalse(work.perform());
        assertTrue(work.mayBlock(), "a server that runs its handlers elsewhere has to from the start");
        slow.set(new SlowRequests(1_000, 1, BlockingWay.LOCK, TimeSpread.CONSTANT));
        assertTrue(work.perform());
        slow.set(SlowRequests.NONE);
        assertFalse(work.perform());
    }

    @Test
    void burningForLongIsRefusedBeforeAHandlerDoes() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new SlowRequests(1, 1_000_000_000L, BlockingWay.BURN, TimeSpread.CONSTANT));
        assertThrows(
                IllegalArgumentException.class,
                () -> new SlowRequests(1, 5_000_000, BlockingWay.BURN, TimeSpread.BIMODAL));
    }
}
