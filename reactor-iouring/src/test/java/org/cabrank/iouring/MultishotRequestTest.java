package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A multishot request from one state to the next. The test is the watcher, and says what the kernel has completed. */
@Timeout(300)
class MultishotRequestTest {
    private static final int MORE = IoUring.IORING_CQE_F_MORE;
    private static final int LAST = 0;

    private BufferedSet buffered;
    private RingHandleSet set;
    private UnservedRequests requests;
    private MultishotRequest<HandleRequests> watched;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open(TestKernel.any());
        set = buffered.set();
        set.newHarvest();
        requests = new UnservedRequests(set);
        set.table().add(requests);
        watched = new MultishotRequest<>(requests, HandleRequests.RECV);
    }

    @AfterEach
    void close() {
        requests.close();
        buffered.close();
    }

    private void completeLast() {
        assertTrue(watched.isLast(LAST));
        requests.ended();
        assertFalse(watched.isArmed());
        assertEquals(0, requests.underWay());
    }

    private void assertCancels(int count) {
        assertEquals(count, set.ring().submissions().pending(), "cancellations");
    }

    @Test
    void nothingIsArmedWhileNobodyWatches() throws Exception {
        assertFalse(watched.tryArm());
        assertEquals(0, requests.underWay());
        set.beginWatching();
        assertTrue(watched.tryArm());
        completeLast();
    }

    @Test
    void thereIsNeverMoreThanOne() throws Exception {
        set.beginWatching();
        assertTrue(watched.tryArm());
        assertTrue(watched.isArmed());
        assertFalse(watched.tryArm());
        assertFalse(watched.isLast(MORE));
        assertFalse(watched.tryArm());
        assertEquals(1, requests.underWay());
        completeLast();
        assertTrue(watched.tryArm());
        completeLast();
    }

    @Test
    void endIsAskedForOnceAndComesWithTheLastCompletion() throws Exception {
        set.beginWatching();
        assertTrue(watched.tryArm());
        watched.end();
        assertCancels(1);
        watched.end();
        assertCancels(1);
        assertFalse(watched.isLast(MORE)); // it was on its way
        assertTrue(watched.isArmed());
        assertFalse(watched.tryArm());
        completeLast();
    }

    @Test
    void endOfNothingAsksForNothing() throws Exception {
        set.beginWatching();
        watched.end();
        assertTrue(watched.tryArm());
        completeLast();
        watched.end();
        assertCancels(0);
    }

    /** The kernel has ended the request by itself before the cancellation, which then meets the next one. */
    @Test
    void nextOneThatMeetsALateEndCanBeArmedAgain() throws Exception {
        set.beginWatching();
        assertTrue(watched.tryArm());
        watched.end();
        completeLast();
        assertTrue(watched.tryArm());
        completeLast(); // with ECANCELED
        assertTrue(watched.tryArm());
        watched.end();
        assertCancels(2);
        completeLast();
    }
}
