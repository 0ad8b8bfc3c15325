package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No convoy and no herd: each follower waits on a synchronizer of its own, so that leadership wakes the one thread it goes
 * to; and what is ready in one harvest is worked on by several threads at once, however slow the first.
 */
@Timeout(300)
class ConvoyTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int sets, Promotion promotion) {
        fixture = new PoolFixture(PoolConfig.of("test", 6).withPromotion(promotion), Deactivation.CLAIM, sets);
        fixture.join("a", "b", "c", "d", "e", "f");
        fixture.time.takeUnparked();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void eagerHandOverWakesTheSuccessorAndNobodyElse(int sets) {
        pool(sets, Promotion.eager());
        for (String successor : List.of("f", "a", "f")) {
            fixture.report(fixture.quick("quick"));
            assertEquals(List.of(successor), fixture.time.takeUnparked());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void deferredPromotionWakesNobodyUnlessItMust(int sets) {
        pool(sets, Promotion.deferred(PoolFixture.MAX_GAP));
        fixture.report(fixture.quick("quick"), fixture.quick("quick"), fixture.quick("quick"));
        assertEquals(List.of(), fixture.time.takeUnparked());
        fixture.report(fixture.set.register("promoting", (handle, ready) -> fixture.pool.promoteNewLeader()));
        assertEquals(List.of("f"), fixture.time.takeUnparked());
    }

    @Test
    void takeoverWakesTheSuccessorAndNobodyElse() {
        pool(1, Promotion.deferred(PoolFixture.MAX_GAP));
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("f"));
        assertEquals(List.of("f"), fixture.time.takeUnparked());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slowHandlersDoNotQueueUpBehindEachOther(boolean eager) {
        pool(1, eager ? Promotion.eager() : Promotion.deferred(PoolFixture.MAX_GAP));
        Gate gate = fixture.gate();
        FakeHandle[] slow = new FakeHandle[5];
        for (int i = 0; i < slow.length; i++) {
            slow[i] = fixture.slow("slow " + i, gate);
        }
        fixture.report(slow);
        for (int look = 0; look < 2 * slow.length; look++) {
            fixture.advance(PoolFixture.LOOK_NS);
        }
        assertEquals(5, fixture.log.size(), "all of them have begun: " + fixture.log);
    }
}
