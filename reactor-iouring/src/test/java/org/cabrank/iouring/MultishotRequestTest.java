package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.kernel.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A multishot request from one state to the next. The test is the watcher, and says what the kernel has completed. */
@Timeout(60)
class MultishotRequestTest {
    private static final int MORE = IoUring.IORING_CQE_F_MORE;
    private static final int LAST = 0;

    private BufferedSet buffered;
    private RingHandleSet set;
    private UnservedRequests requests;
    private MultishotRequest<HandleRequests> watched;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open(TestKernel.any(), RingMode.SHARED);
        set = buffered.set();
        set.newHarvest(16);
        requests = new UnservedRequests(set);
        set.table().add(requests);
        watched = new MultishotRequest<>(requests, HandleRequests.RECV);
    }

    @AfterEach
    void close() {
        requests.close();
        buffered.close();
    }

    private boolean tryArm() {
        synchronized (requests) {
            return watched.tryArm();
        }
    }

    private void armByAnotherThread() throws Exception {
        FutureTask<Boolean> arming = new FutureTask<>(this::tryArm);
        new Thread(arming, "another").start();
        assertTrue(arming.get());
    }

    /** Each wait brings one completion. */
    private void lead(int waits) throws IOException {
        for (int i = 0; i < waits; i++) {
            set.beginWatching();
            set.takeover().harvested(1);
        }
    }

    private void completeLast() {
        assertTrue(watched.isLast(LAST));
        requests.ended();
        assertFalse(watched.isArmed());
        assertEquals(0, requests.underWay());
    }

    private void assertCancels(int count) {
        assertEquals(count, set.submissions().pending(), "cancellations");
    }

    @Test
    void nothingIsArmedWhileNobodyWatches() throws Exception {
        assertFalse(tryArm());
        assertEquals(0, requests.underWay());
        lead(1);
        assertTrue(tryArm());
        completeLast();
    }

    @Test
    void thereIsNeverMoreThanOne() throws Exception {
        lead(1);
        assertTrue(tryArm());
        assertTrue(watched.isArmed());
        assertFalse(tryArm());
        assertFalse(watched.isLast(MORE));
        assertFalse(tryArm());
        assertEquals(1, requests.underWay());
        completeLast();
        assertFalse(watched.isTakenOver());
        assertTrue(tryArm());
        completeLast();
    }

    @Test
    void endIsAskedForOnceAndComesWithTheLastCompletion() throws Exception {
        lead(1);
        assertTrue(tryArm());
        watched.end();
        assertCancels(1);
        watched.end();
        assertCancels(1);
        assertFalse(watched.isLast(MORE)); // it was on its way
        assertTrue(watched.isArmed());
        assertFalse(tryArm());
        completeLast();
        assertFalse(watched.isTakenOver());
    }

    @Test
    void endOfNothingAsksForNothing() throws Exception {
        lead(1);
        watched.end();
        assertTrue(tryArm());
        completeLast();
        watched.end();
        assertCancels(0);
    }

    @Test
    void leaderOfSomeWaitsTakesOverWhatAnotherHasArmed() throws Exception {
        lead(1);
        armByAnotherThread();
        lead(RequestTakeover.TENURE_MIN - 1);
        assertFalse(watched.isLast(MORE));
        assertCancels(0);
        lead(1);
        assertFalse(watched.isLast(MORE));
        assertCancels(1);
        assertFalse(watched.isLast(MORE));
        assertCancels(1);
        assertFalse(tryArm(), "the other's is still under way");
        completeLast();
        assertTrue(watched.isTakenOver());
        assertFalse(watched.isTakenOver(), "it was answered");
        assertTrue(tryArm());
        assertFalse(watched.isLast(MORE));
        assertCancels(1); // now it is the leader's own
        completeLast();
    }

    /** With many of them one wake-up of the other thread serves many completions. */
    @Test
    void leaderTakesOverNothingBeforeItHasHadCompletionsForAPartOfTheDescriptors() throws Exception {
        int completions = 2 * RequestTakeover.TENURE_MIN;
        int others = completions * RequestTakeover.DESCRIPTORS_PER_COMPLETION - 1;
        for (int i = 0; i < others; i++) {
            set.table().add(new UnservedRequests(set));
        }
        lead(1);
        armByAnotherThread();
        lead(completions - 2);
        assertFalse(watched.isLast(MORE));
        assertCancels(0);
        lead(1);
        assertFalse(watched.isLast(MORE));
        assertCancels(1);
        completeLast();
    }

    @Test
    void leaderLeavesItsOwnAsItIs() throws Exception {
        lead(1);
        assertTrue(tryArm());
        lead(2 * RequestTakeover.TENURE_MIN);
        assertFalse(watched.isLast(MORE));
        assertCancels(0);
        completeLast();
    }

    /** Then nobody is to arm it again. */
    @Test
    void endWhileItIsTakenOverIsAnEnd() throws Exception {
        lead(1);
        armByAnotherThread();
        lead(RequestTakeover.TENURE_MIN);
        assertFalse(watched.isLast(MORE));
        assertCancels(1);
        watched.end();
        assertCancels(1);
        completeLast();
        assertFalse(watched.isTakenOver());
    }

    /** The kernel has ended the request by itself before the cancellation, which then meets the next one. */
    @Test
    void nextOneThatMeetsALateEndCanBeArmedAgain() throws Exception {
        lead(1);
        assertTrue(tryArm());
        watched.end();
        completeLast();
        assertTrue(tryArm());
        completeLast(); // with ECANCELED
        assertFalse(watched.isTakenOver());
        assertTrue(tryArm());
        watched.end();
        assertCancels(2);
        completeLast();
    }
}
