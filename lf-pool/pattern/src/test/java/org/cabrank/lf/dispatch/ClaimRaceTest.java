package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events, posts and their handlers meet in the state of a handle that one holds at a time. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ClaimRaceTest {
    private static final class Claimed extends ClaimState {
        final AtomicInteger holders = new AtomicInteger();
        final AtomicInteger holdersMax = new AtomicInteger();
        final AtomicInteger consumed = new AtomicInteger();

        Claimed() {
            super(false);
        }

        void process(int ready) {
            for (int bits = ready; bits != 0; bits = release()) {
                holdersMax.accumulateAndGet(holders.incrementAndGet(), Math::max);
                consumed.accumulateAndGet(bits, (before, now) -> before | now);
                holders.decrementAndGet();
            }
        }

        void post(int bit) {
            if (notePosted(bit)) {
                process(claimPosted());
            }
        }
    }

    private final Claimed[] states = new Claimed[Race.MEETINGS];

    private void prepareStates() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            states[i] = new Claimed();
        }
    }

    private void checkState(int meeting, int consumed) {
        assertEquals(consumed, states[meeting].consumed.get(), "every bit reaches a holder");
        assertEquals(1, states[meeting].holdersMax.get(), "one holder at a time");
        assertTrue(!states[meeting].isClaimed(), "and none in the end");
    }

    @Test
    void eventsOfTwoLeadersReachOneHolderEach() throws InterruptedException {
        Race.run(
                this::prepareStates,
                i -> {
                    states[i].process(states[i].claim(ReadyBits.READ));
                    states[i].process(states[i].claim(ReadyBits.HANGUP));
                },
                i -> {
                    states[i].process(states[i].claim(ReadyBits.WRITE));
                    states[i].process(states[i].claim(ReadyBits.ERROR));
                },
                i -> checkState(i, ReadyBits.READ | ReadyBits.HANGUP | ReadyBits.WRITE | ReadyBits.ERROR));
    }

    @Test
    void eventAndPostReachOneHolderEach() throws InterruptedException {
        Race.run(
                this::prepareStates,
                i -> states[i].process(states[i].claim(ReadyBits.READ)),
                i -> states[i].post(ReadyBits.POSTED),
                i -> checkState(i, ReadyBits.READ | ReadyBits.POSTED));
    }

    @Test
    void eventNotedWhileSuspendedIsDispatchedAfterResumption() throws InterruptedException {
        Race.run(
                this::prepareStates,
                i -> {
                    states[i].suspend();
                    if (states[i].resume(ReadyBits.REARM) == ClaimState.Resumption.POST_DUE) {
                        states[i].process(states[i].claimPosted());
                    }
                },
                i -> {
                    states[i].process(states[i].claim(ReadyBits.READ));
                    states[i].post(ReadyBits.POSTED);
                },
                i -> checkState(i, ReadyBits.READ | ReadyBits.POSTED | ReadyBits.REARM));
    }

    /** Bits in the order in which holders were given them. */
    private final int[][] given = new int[Race.MEETINGS][4];

    private void processInOrder(int meeting, int ready) {
        int[] order = given[meeting];
        for (int bits = ready; bits != 0; bits = states[meeting].release()) {
            order[++order[0]] = bits;
            if ((bits & ReadyBits.RESUMED) != 0) {
                states[meeting].endDetention();
            }
        }
    }

    /** The work is done while the handler that has handed it away returns, and an event has come meanwhile. */
    @Test
    void endOfTheWorkReachesOneHolderAndTheEventFollowsIt() throws InterruptedException {
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        states[i] = new Claimed();
                        given[i][0] = 0;
                        states[i].claim(ReadyBits.READ);
                        states[i].detain();
                    }
                },
                i -> {
                    states[i].claim(ReadyBits.WRITE);
                    processInOrder(i, states[i].release());
                },
                i -> {
                    if (states[i].notePosted(ReadyBits.RESUMED)) {
                        processInOrder(i, states[i].claimPosted());
                    }
                },
                i -> {
                    assertEquals(2, given[i][0], () -> "two rounds, at meeting " + i);
                    assertEquals(ReadyBits.RESUMED, given[i][1], "before the event");
                    assertEquals(ReadyBits.WRITE, given[i][2]);
                    assertTrue(!states[i].isClaimed());
                });
    }

    /** Plain stores of a poster before its post are visible to the call that the post is merged into. */
    @Test
    void mergedPostStillPublishes() throws InterruptedException {
        boolean[] listed = new boolean[Race.MEETINGS];
        int[][] published = new int[Race.MEETINGS][1];
        int[] seen = new int[Race.MEETINGS];
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        states[i] = new Claimed();
                        states[i].notePosted(ReadyBits.POSTED); // listed; the next one is merged into it
                        published[i] = new int[1];
                        seen[i] = -1;
                    }
                },
                i -> {
                    if ((states[i].claimPosted() & ReadyBits.POSTED) != 0) {
                        seen[i] = published[i][0];
                    }
                },
                i -> {
                    published[i][0] = 42;
                    listed[i] = states[i].notePosted(ReadyBits.POSTED);
                },
                i -> {
                    // Another call is due for it, or it was merged into the one that there was.
                    boolean anotherDue = listed[i] || states[i].release() != 0;
                    assertTrue(anotherDue || seen[i] == 42, () -> "lost at meeting " + i);
                });
    }
}
