package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A claim holder that wants the end of a multishot request, and the watcher that arms it, takes it over or takes its last
 * completion at the same moment. The test is the watcher. What stands for the request in the submission queue does nothing.
 */
@Timeout(120)
class MultishotRequestRaceTest {
    private static final int ROUNDS = 2_000;
    private static final int MORE = IoUring.IORING_CQE_F_MORE;
    private static final int LAST = 0;
    private static final byte REQUEST = IoUring.IORING_OP_NOP;
    private static final byte END = IoUring.IORING_OP_ASYNC_CANCEL;

    /** Submissions of this round, in order. */
    private final List<Byte> submitted = new ArrayList<>();

    private final CyclicBarrier together = new CyclicBarrier(2);
    private BufferedSet buffered;
    private RingHandleSet set;
    private UnservedRequests requests;
    private MultishotRequest<HandleRequests> watched;

    /** The end was asked for in this round, and that is done. */
    private volatile boolean endWasAskedFor;

    @BeforeEach
    void open() throws IOException {
        FaultyRings rings = new FaultyRings(TestKernel.any());
        buffered = BufferedSet.open(rings, RingMode.SHARED);
        rings.showSubmissions(submission -> submitted.add(submission.get(IoUringSqe.OPCODE_OFFSET)));
        set = buffered.set();
        set.newHarvest(16);
        requests = new UnservedRequests(set);
        set.table().add(requests);
        watched = new MultishotRequest<>(requests, HandleRequests.RECV);
        for (int i = 0; i <= RequestTakeover.TENURE_MIN; i++) {
            set.beginWatching();
            set.takeover().harvested(1);
        }
    }

    @AfterEach
    void close() {
        requests.close();
        buffered.close();
    }

    private boolean arm() {
        synchronized (requests) {
            boolean armed = watched.tryArm();
            if (armed) {
                set.submissions().append(REQUEST, 0, 0, 0, requests.userData(HandleRequests.RECV), 0);
            }
            return armed;
        }
    }

    /** One side of the race, in each of its rounds. */
    private interface Side {
        void take() throws Exception;
    }

    /** @param before the claim holder's, before both begin */
    private void race(Side before, Side end, Side watcher, Side afterwards) throws Exception {
        FutureTask<Void> holder = new FutureTask<>(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                before.take();
                together.await();
                end.take();
                endWasAskedFor = true;
                together.await();
                together.await();
            }
            return null;
        });
        Thread thread = new Thread(holder, "claim holder");
        thread.start();
        for (int round = 0; round < ROUNDS; round++) {
            together.await();
            watcher.take();
            together.await();
            assertTrue(set.ring().submit() >= 0);
            afterwards.take();
            Rings.takeAll(set.ring());
            submitted.clear();
            endWasAskedFor = false;
            together.await();
        }
        holder.get();
    }

    private void completeLast() {
        assertTrue(watched.isLast(LAST));
        requests.ended();
    }

    private void assertNothingIsLeft() {
        assertFalse(watched.isArmed());
        assertEquals(0, requests.underWay());
    }

    private void assertSubmitted(Byte... expected) {
        assertEquals(List.of(expected), submitted);
    }

    /** Ahead of it, it would end nothing, and the request would never end. */
    @Test
    void endIsAskedForBehindTheRequestThatIsJustBeingArmed() throws Exception {
        race(
                () -> {},
                () -> {
                    while (!watched.isArmed()) {
                        Thread.onSpinWait();
                    }
                    watched.end();
                },
                () -> assertTrue(arm()),
                () -> {
                    assertSubmitted(REQUEST, END);
                    completeLast();
                    assertNothingIsLeft();
                });
    }

    /** The end comes before or after: it ends one request or none, and the next request is not touched by the outcome. */
    @Test
    void endThatMeetsTheLastCompletionIsAskedForOnceOrNotAtAll() throws Exception {
        race(() -> assertTrue(arm()), watched::end, this::completeLast, () -> {
            assertNothingIsLeft();
            assertFalse(watched.isTakenOver());
            assertTrue(
                    submitted.equals(List.of(REQUEST)) || submitted.equals(List.of(REQUEST, END)), submitted::toString);
        });
    }

    /** Armed by the claim holder, it is ended by the watcher to be armed anew; but not if its end was wanted before. */
    @Test
    void endThatMeetsATakeoverIsAnEndIfItComesBeforeTheLastCompletion() throws Exception {
        boolean[] wanted = new boolean[1];
        race(
                () -> assertTrue(arm()),
                watched::end,
                () -> {
                    assertFalse(watched.isLast(MORE));
                    wanted[0] = endWasAskedFor;
                    completeLast();
                },
                () -> {
                    assertNothingIsLeft();
                    assertFalse(watched.isTakenOver() && wanted[0], "nobody is to arm it again");
                    assertSubmitted(REQUEST, END);
                });
    }

    /** As the watcher does when it has taken it over: the end meets the one or the other. */
    @Test
    void endThatMeetsTheNextOneEndsItBehindItOrNotAtAll() throws Exception {
        race(
                () -> assertTrue(arm()),
                watched::end,
                () -> {
                    completeLast();
                    assertTrue(arm());
                },
                () -> {
                    assertTrue(watched.isArmed());
                    assertEquals(1, requests.underWay());
                    completeLast();
                    assertNothingIsLeft();
                    assertTrue(submitted.indexOf(END) != 0 && submitted.lastIndexOf(END) == submitted.indexOf(END));
                    assertEquals(
                            2,
                            submitted.stream().filter(each -> each == REQUEST).count());
                });
    }
}
