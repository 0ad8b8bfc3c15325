package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Invalid settings are refused with a message, and valid ones have a readable text. */
class PoolConfigTest {
    private static void assertRefused(String message, Executable refused) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, refused).getMessage());
    }

    @Test
    void gapsFromTenMicrosecondsToASecondAreTaken() {
        assertEquals(
                "deferred(10us)", Promotion.deferred(Duration.ofNanos(10_000)).toString());
        assertEquals(
                "deferred(1000000us)", Promotion.deferred(Duration.ofSeconds(1)).toString());
        assertEquals("deferred(2000us)", Promotion.deferred().toString());
        assertEquals("eager", Promotion.eager().toString());
    }

    @Test
    void gapsBeyondAreRefused() {
        assertRefused(
                "maxGap must be from 10us to 1s, but is PT0.000009999S",
                () -> Promotion.deferred(Duration.ofNanos(9_999)));
        assertRefused(
                "maxGap must be from 10us to 1s, but is PT1.001S", () -> Promotion.deferred(Duration.ofMillis(1_001)));
        assertRefused(
                "maxGap must be from 10us to 1s, but is PT-0.000001S",
                () -> Promotion.deferred(Duration.ofNanos(-1000)));
        assertThrows(NullPointerException.class, () -> Promotion.deferred(null));
    }

    @Test
    void waitingTellsItselfInWords() {
        assertEquals("block", Waiting.block().toString());
        assertEquals(
                "spin(20us)", Waiting.spinThenBlock(Duration.ofNanos(20_000)).toString());
        assertEquals("busy", Waiting.busySpin().toString());
    }

    @Test
    void negativeSpinIsRefused() {
        assertRefused(
                "spin must not be negative, but is PT-0.000000001S", () -> Waiting.spinThenBlock(Duration.ofNanos(-1)));
    }

    @Test
    void aTimeThatIsTooLongForNanosecondsIsTakenForTheLongestOrRefusedWithTheRange() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        assertEquals(
                Timers.delayNs(Timers.DELAY_MAX), Waiting.spinThenBlock(forever).spinNs());
        assertRefused("maxGap must be from 10us to 1s, but is " + forever, () -> Promotion.deferred(forever));
        assertEquals(Timers.delayNs(Timers.DELAY_MAX), Timers.delayNs(forever));
        assertEquals(0, Timers.delayNs(Duration.ofSeconds(Long.MIN_VALUE)));
    }

    @Test
    void numberOfThreadsIsBounded() {
        assertEquals(1, PoolConfig.of("pool", 1).threads());
        assertEquals(1024, PoolConfig.of("pool", 1024).threads());
        assertRefused("threads must be from 1 to 1024, but is 0", () -> PoolConfig.of("pool", 0));
        assertRefused("threads must be from 1 to 1024, but is 1025", () -> PoolConfig.of("pool", 1025));
    }

    @Test
    void nothingMayBeNull() {
        PoolConfig config = PoolConfig.of("pool", 2);
        assertThrows(NullPointerException.class, () -> PoolConfig.of(null, 2));
        assertThrows(NullPointerException.class, () -> config.withPromotion(null));
        assertThrows(NullPointerException.class, () -> config.withWaiting(null));
        assertThrows(NullPointerException.class, () -> config.withOnThreadStart(null));
        assertThrows(NullPointerException.class, () -> config.withThreadFactory(null));
        assertThrows(NullPointerException.class, () -> config.withOnFailure(null));
    }

    @Test
    void eachChangeChangesOneThing() {
        PoolConfig config = PoolConfig.of("pool", 2);
        PoolConfig changed = config.withPromotion(Promotion.eager()).withWaiting(Waiting.busySpin());
        assertEquals(Promotion.eager(), changed.promotion());
        assertEquals(Waiting.busySpin(), changed.waiting());
        assertEquals("pool", changed.name());
        assertEquals(2, changed.threads());
        assertSame(config.onThreadStart(), changed.onThreadStart());
    }

    @Test
    void readyBitsAreDescribed() {
        assertEquals("nothing", Ready.describe(0));
        assertEquals("READ|WRITE|TIMER", Ready.describe(Ready.READ | Ready.WRITE | Ready.TIMER));
        assertEquals(
                "READ|WRITE|INPUT_CLOSED|HANGUP|ERROR|TIMER|POSTED|POSTED_2|POSTED_3|POSTED_4",
                Ready.describe(HandleStates.PUBLIC));
    }
}
