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
import org.cabrank.descriptor.contract.TestKernel;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One leader after another; the test is the second. What completes, the test says, but where it says that it does not. */
@Timeout(60)
class TakeoverTest {
    private static final int MORE = IoUring.IORING_CQE_F_MORE;

    private final Enters enters = new Enters(TestKernel.any());
    private final ExecutorService first = Executors.newSingleThreadExecutor();
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
        first.shutdown();
    }

    /** How each wait was asked for. */
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
        private final Watched<Requests> watched = new Watched<>(this, POLL);
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

    /** The first leader begins to wait, and this is what comes of it. */
    private void firstLeads(Runnable what) throws Exception {
        Future<Void> led = first.submit(() -> {
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
    void newLeaderTakesOverAtOnceWhatWasActiveAndNothingElse() throws Exception {
        serveWith(Promotion.deferred());
        Some active = some();
        Some idle = some();
        firstLeads(() -> {
            active.arm();
            idle.arm();
            active.fire();
            active.fire();
        });
        assertCancels(0);
        set.beginWatching();
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
    void newLeaderLeavesItsOwnAsItIs() throws Exception {
        serveWith(Promotion.deferred());
        Some own = some();
        set.beginWatching();
        own.arm();
        firstLeads(own::fire);
        set.beginWatching();
        assertCancels(0);
        assertEquals(0, set.takeover().awaited());
    }

    @Test
    void whatHasEndedOrIsEndingIsNotTakenOver() throws Exception {
        serveWith(Promotion.deferred());
        Some ended = some();
        Some ending = some();
        firstLeads(() -> {
            ended.arm();
            ending.arm();
            ended.fire();
            ending.fire();
            assertTrue(ended.watched.isLast(0));
            ended.ended();
            ending.watched.end();
        });
        assertCancels(1);
        set.beginWatching();
        assertCancels(1);
        assertEquals(0, set.takeover().awaited());
    }

    @Test
    void whatCouldNotBeArmedAgainIsNotTakenOver() throws Exception {
        serveWith(Promotion.deferred());
        Some starving = some();
        firstLeads(() -> {
            starving.arm();
            starving.fire();
        });
        starving.couldArm = false;
        set.beginWatching();
        assertCancels(0);
    }

    @Test
    void whatIsActiveAgainIsTakenOverByTheNextLeaderToo() throws Exception {
        serveWith(Promotion.deferred());
        Some active = some();
        firstLeads(() -> {
            active.arm();
            active.fire();
        });
        set.beginWatching();
        assertCancels(1);
        assertTrue(active.watched.isLast(0));
        active.ended();
        active.arm();
        active.fire();
        firstLeads(() -> {});
        assertCancels(2);
    }

    /** One wake-up of the first serves many completions then. */
    @Test
    void leaderOfACrowdTakesOverNothingAtOnce() throws Exception {
        serveWith(Promotion.deferred());
        for (int i = 0; i <= Takeover.AT_ONCE_MAX; i++) {
            some();
        }
        firstLeads(() -> all.forEach(each -> {
            each.arm();
            each.fire();
        }));
        set.beginWatching();
        assertCancels(0);
        List<Some> some = all.subList(0, 3);
        firstLeads(() -> some.forEach(Some::fire));
        set.beginWatching();
        assertCancels(3); // and those are all that were active since
    }

    @Test
    void connectionsThatHaveComeAndGoneAreNoCrowd() throws Exception {
        serveWith(Promotion.deferred());
        for (int i = 0; i < 2 * Takeover.AT_ONCE_MAX; i++) {
            some();
        }
        Some last = some();
        firstLeads(() -> {
            for (Some each : all) {
                each.arm();
                each.fire();
                if (each != last) {
                    assertTrue(each.watched.isLast(0));
                    each.ended();
                }
            }
        });
        set.beginWatching();
        assertCancels(1);
    }

    /** Then each event changes the leader. */
    @Test
    void underEagerPromotionNothingIsTakenOverAtOnce() throws Exception {
        serveWith(Promotion.eager());
        Some active = some();
        firstLeads(() -> {
            active.arm();
            active.fire();
        });
        set.beginWatching();
        assertCancels(0);
    }

    private RingHarvest harvestAfterATakeover(int count) throws Exception {
        serveWith(Promotion.deferred());
        RingHarvest harvest = (RingHarvest) set.newHarvest(16);
        for (int i = 0; i < count; i++) {
            some();
        }
        firstLeads(() -> all.forEach(each -> {
            each.arm();
            each.fire();
        }));
        enters.wanted.clear();
        return harvest;
    }

    /** So that the thread that has armed them, and may have to share its processor with the leader, has time to end them. */
    @Test
    void newLeaderWaitsForAllEnds() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        assertEquals(
                3, harvest.await(HandleSet.FOREVER)); // that there is nothing to end: the kernel knows nothing of them
        assertEquals(List.of(3), enters.wanted);
        assertNull(harvest.next());
    }

    @Test
    void newLeaderThatSpinsWaitsForNothing() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        harvest.await(0);
        assertEquals(List.of(0), enters.wanted);
    }

    /** The other thread may be where the kernel cannot interrupt it. */
    @Test
    void newLeaderDoesNotWaitForEndsForLong() throws Exception {
        RingHarvest harvest = harvestAfterATakeover(3);
        enters.deaf = true;
        assertEquals(0, harvest.await(HandleSet.FOREVER));
        enters.deaf = false;
        assertEquals(List.of(3), enters.wanted);
        harvest.await(HandleSet.FOREVER);
        assertEquals(List.of(3, 1), enters.wanted, "from now on anything will do");
    }
}
