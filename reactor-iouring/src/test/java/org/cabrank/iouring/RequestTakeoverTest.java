package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test is the regular leader of the set, or of a later turn. The test says what completes, except where a comment says otherwise. */
@Timeout(60)
@Tag("newest") // on an older JDK in a soak only
class RequestTakeoverTest {
    private static final int MORE = IoUring.IORING_CQE_F_MORE;

    private final Enters enters = new Enters(TestKernel.any());
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final List<Some> all = new ArrayList<>();
    private BufferedSet buffered;
    private RingHandleSet set;
    private LeaderFollowersPool pool;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open(enters, RingMode.SHARED);
        set = buffered.set();
    }

    @AfterEach
    void close() {
        all.forEach(Some::close);
        pool.close();
        buffered.close();
        other.shutdown();
    }

    /** Arguments of each wait. */
    private static final class Enters extends ForwardingKernel {
        private final List<Integer> wanted = new ArrayList<>();

        /** Takes nothing that is submitted. */
        private boolean deaf;

        Enters(Kernel next) {
            super(next);
        }

        @Override
        public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
            wanted.add(minComplete);
            return super.ioUringEnter(fd, deaf ? 0 : toSubmit, minComplete, flags, arg, argBytes);
        }
    }

    private static final class Some extends UnservedRequests {
        private final MultishotRequest<HandleRequests> watched = new MultishotRequest<>(this, POLL);
        private boolean couldArm = true;

        Some(RingHandleSet set) {
            super(set);
            set.table().add(this);
        }

        @Override
        boolean couldArm() {
            return couldArm;
        }

        @Override
        synchronized void arm() {
            assertTrue(watched.tryArm());
        }

        void fire() {
            assertFalse(watched.isLast(MORE));
        }
    }

    private void serveWith(Promotion promotion) {
        pool = new LeaderFollowersPool(set, PoolConfig.of("takeover", 2).withPromotion(promotion));
    }

    private Some some() {
        Some some = new Some(set);
        all.add(some);
        return some;
    }

    /** The test's turn, and its first wait. */
    private void regularLeads() throws IOException {
        set.turnBegins(true);
        set.beginWatching();
    }

    private void deputyLeads(Runnable what) throws Exception {
        otherLeads(() -> set.turnBegins(false), what);
    }

    /** Under eager promotion. */
    private void otherLeads(Runnable what) throws Exception {
        otherLeads(() -> {}, what);
    }

    private void otherLeads(Runnable begin, Runnable what) throws Exception {
        Future<Void> led = other.submit(() -> {
            begin.run();
            set.beginWatching();
            what.run();
            return null;
        });
        led.get();
    }

    private void assertCancels(int count) {
        assertEquals(count, set.submissions().pending(), "cancellations");
    }

    @Test
    void regularLeaderTakesOverAtOnceWhatDeputiesHaveArmedAndWasActive() throws Exception {
        serveWith(Promotion.deferred());
        regularLeads();
        Some active = some();
        Some idle = some();
        deputyLeads(() -> {
            active.arm();
            idle.arm();
            active.fire();
            active.fire();
        });
        assertCancels(0);
        regularLeads();
        assertCancels(1);
        assertEquals(1, set.takeover().awaited());
        assertEquals(0, set.takeover().awaited(), "it was answered");
        set.beginWatching();
        assertCancels(1);
        assertTrue(active.watched.isLast(0));
        assertTrue(active.watched.isTakenOver());
        assertTrue(idle.watched.isLast(0));
        assertFalse(idle.watched.isTakenOver());
    }

    @Test
    void deputyTakesOverNothingHoweverLongItLeads() throws Exception {
        serveWith(Promotion.deferred());
        Some active = some();
        regularLeads();
        active.arm();
        active.fire();
        deputyLeads(() -> leadForLong(active));
        assertCancels(0);
        regularLeads();
        assertCancels(0);
        assertEquals(0, set.takeover().awaited(), "it is the regular leader's own");
    }

    /** The leader waits often, and meets completions of {@code active} alone. */
    private void leadForLong(Some active) {
        for (int i = 0; i <= RequestTakeover.TENURE_MIN; i++) {
            set.takeover().beginWait();
            set.takeover().harvested(1);
            active.fire();
        }
    }

    @Test
    void newRegularLeaderTakesOverWhatTheOneBeforeHasArmedWhenItCompletes() throws Exception {
        serveWith(Promotion.deferred());
        Some active = some();
        Some idle = some();
        regularLeads();
        active.arm();
        idle.arm();
        active.fire();
        otherLeads(() -> set.turnBegins(true), () -> leadForLong(active));
        assertCancels(1);
        assertTrue(active.watched.isLast(0));
        assertTrue(active.watched.isTakenOver());
        assertTrue(idle.watched.isLast(0));
        assertFalse(idle.watched.isTakenOver());
    }

    @Test
    void whatHasEndedOrIsEndingIsNotTakenOver() throws Exception {
        serveWith(Promotion.deferred());
        regularLeads();
        Some ended = some();
        Some ending = some();
        deputyLeads(() -> {
            ended.arm();
            ending.arm();
            ended.fire();
            ending.fire();
            assertTrue(ended.watched.isLast(0));
            ended.ended();
            ending.watched.end();
        });
        assertCancels(1);
        regularLeads();
        assertCancels(1);
        assertEquals(0, set.takeover().awaited());
    }

    @Test
    void whatCouldNotBeArmedAgainIsNotTakenOver() throws Exception {
        serveWith(Promotion.deferred());
        regularLeads();
        Some starving = some();
        deputyLeads(() -> {
            starving.arm();
            starving.fire();
        });
        starving.couldArm = false;
        regularLeads();
        assertCancels(0);
    }

    /** One wake-up of the deputy serves many completions then. */
    @Test
    void regularLeaderTakesOverNothingOfACrowdAtOnce() throws Exception {
        serveWith(Promotion.deferred());
        regularLeads();
        for (int i = 0; i <= RequestTakeover.AT_ONCE_MAX; i++) {
            some();
        }
        deputyLeads(() -> all.forEach(each -> {
            each.arm();
            each.fire();
        }));
        regularLeads();
        assertCancels(0);
        List<Some> some = all.subList(0, 3);
        deputyLeads(() -> some.forEach(Some::fire));
        regularLeads();
        assertCancels(3); // and those are all that were active since
    }

    @Test
    void connectionsThatHaveComeAndGoneAreNoCrowd() throws Exception {
        serveWith(Promotion.deferred());
        regularLeads();
        for (int i = 0; i < 2 * RequestTakeover.AT_ONCE_MAX; i++) {
            some();
        }
        Some last = some();
        deputyLeads(() -> {
            for (Some each : all) {
                each.arm();
                each.fire();
                if (each != last) {
                    assertTrue(each.watched.isLast(0));
                    each.ended();
                }
            }
        });
        regularLeads();
        assertCancels(1);
    }

    /** Then each event changes the leader. */
    @Test
    void underEagerPromotionNothingIsTakenOverAtOnce() throws Exception {
        serveWith(Promotion.eager());
        Some active = some();
        otherLeads(() -> {
            active.arm();
            active.fire();
        });
        set.beginWatching();
        assertCancels(0);
    }

    @Test
    void underEagerPromotionALeaderTakesOverOnceItHasLedForAWhile() throws Exception {
        serveWith(Promotion.eager());
        Some active = some();
        otherLeads(() -> {
            active.arm();
            active.fire();
        });
        set.beginWatching();
        active.fire();
        assertCancels(0);
        leadForLong(active);
        assertCancels(1);
    }

    private RingHarvest harvestAfterATakeover(int count) throws Exception {
        serveWith(Promotion.deferred());
        RingHarvest harvest = (RingHarvest) set.newHarvest(16);
        regularLeads();
        for (int i = 0; i < count; i++) {
            some();
        }
        deputyLeads(() -> all.forEach(each -> {
            each.arm();
            each.fire();
        }));
        set.turnBegins(true);
        enters.wanted.clear();
        return harvest;
    }

    /** So that the thread that has armed them, and may have to share its processor with the leader, has time to end them. */
    @Test
    void regularLeaderWaitsForAllEnds() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        assertEquals(
                3, harvest.await(HandleSet.FOREVER)); // that there is nothing to end: the kernel knows nothing of them
        assertEquals(List.of(3), enters.wanted);
        assertNull(harvest.next());
    }

    @Test
    void regularLeaderThatSpinsWaitsForNothing() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        harvest.await(0);
        assertEquals(List.of(0), enters.wanted);
    }

    /** The other thread may be where the kernel cannot interrupt it. */
    @Test
    void regularLeaderDoesNotWaitForEndsForLong() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        enters.deaf = true;
        assertEquals(0, harvest.await(HandleSet.FOREVER));
        enters.deaf = false;
        assertEquals(List.of(3), enters.wanted);
        harvest.await(HandleSet.FOREVER);
        assertEquals(List.of(3, 1), enters.wanted, "from now on anything will do");
    }
}
