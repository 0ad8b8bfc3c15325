package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.cabrank.lf.leadership.EarlyPromotion;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred promotion promotes before each event while handlers block often. */
@Timeout(60)
class EarlyPromotionTest {
    private final PoolFixture fixture = PoolFixture.deferred(2);
    private final FakeHandle quick = fixture.quick("quick");

    EarlyPromotionTest() {
        fixture.join("a", "b");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A handler blocks until the standby has taken over, and returns. */
    private void takeOver() {
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        long takeoversBefore = takeovers();
        for (int look = 0; look < 2 && takeovers() == takeoversBefore; look++) {
            fixture.advance(LOOK_NS);
        }
        assertEquals(takeoversBefore + 1, takeovers());
        fixture.open(gate);
    }

    private void takeOverOften() {
        for (int i = 0; i <= EarlyPromotion.TAKEOVERS; i++) {
            takeOver();
        }
    }

    private void quickEvents(int count) {
        for (int i = 0; i < count; i++) {
            fixture.report(quick);
        }
    }

    private long takeovers() {
        return fixture.pool.counters().takeovers();
    }

    private long promotions() {
        return fixture.pool.counters().promotions();
    }

    private void assertWatchedWhileAHandlerBlocks() {
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("blocked", gate));
        assertEquals(
                1,
                fixture.states().values().stream()
                        .filter(ThreadState.LEADER::equals)
                        .count(),
                "the clock stands still");
        fixture.open(gate);
    }

    @Test
    void afterManyTakeoversAFollowerIsPromotedBeforeTheHandlerRuns() {
        takeOverOften();
        long before = takeovers();
        assertWatchedWhileAHandlerBlocks();
        assertEquals(before, takeovers());
    }

    @Test
    void rareTakeoversChangeNothing() {
        for (int i = 0; i <= 2 * EarlyPromotion.TAKEOVERS; i++) {
            takeOver();
            quickEvents(EarlyPromotion.EVENTS_MAX / EarlyPromotion.TAKEOVERS);
        }
        long before = promotions();
        quickEvents(10);
        assertEquals(before, promotions());
    }

    @Test
    void quickHandlersEndTheEarlyPromotion() {
        takeOverOften();
        long before = promotions();
        quickEvents(EarlyPromotion.EARLY_EVENTS);
        assertEquals(before + EarlyPromotion.EARLY_EVENTS, promotions());
        before = promotions();
        quickEvents(10);
        assertEquals(before, promotions());
    }

    @Test
    void slowHandlersProlongTheEarlyPromotion() {
        takeOverOften();
        for (int i = 0; i < EarlyPromotion.EARLY_EVENTS / 32; i++) {
            Gate gate = fixture.gate();
            fixture.report(fixture.slow("slow", gate));
            fixture.advance(GAP_NS / 16);
            fixture.open(gate);
        }
        quickEvents(EarlyPromotion.EARLY_EVENTS - EarlyPromotion.EARLY_EVENTS / 32);
        long before = takeovers();
        assertWatchedWhileAHandlerBlocks();
        assertEquals(before, takeovers());
    }

    /** A handler that computes holds up nobody whom a promotion would help: processors are scarce. */
    @Test
    void takeoversFromLeadersThatComputeDoNotCount() {
        fixture.time.computes("a");
        fixture.time.computes("b");
        takeOverOften();
        long before = promotions();
        quickEvents(10);
        assertEquals(before, promotions());
    }

    @Test
    void everyEventIsProcessedOnce() {
        takeOverOften();
        fixture.log.clear();
        quickEvents(3);
        assertEquals(
                List.of("quick", "quick", "quick"),
                fixture.log.stream().map(line -> line.split(" ")[0]).toList());
    }
}
