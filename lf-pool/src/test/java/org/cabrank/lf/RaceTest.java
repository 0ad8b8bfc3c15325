package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two threads meet in the same word or state, hundreds of thousands of times; what they may find is asserted of each. */
@Timeout(120)
class RaceTest {
    private static final int ROUNDS = 60;
    private static final int MEETINGS = 4_000;

    /** Named bound: looks for the other side before a meeting; then it is missed, because the other has no CPU. */
    private static final int LOOKS_MAX = 2_000;

    /** What one of two threads does at the n-th meeting of a round. */
    private interface Side {
        void meet(int meeting);
    }

    /** Both sides go through all meetings of a round at the same time; {@code check} looks at each afterwards. */
    private static void race(Runnable prepare, Side one, Side other, Side check) throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicIntegerArray at = new AtomicIntegerArray(32); // one element each, a cache line apart
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int round = 0; round < ROUNDS && failure.get() == null; round++) {
            prepare.run();
            Thread rival = new Thread(() -> walk(together, at, 0, other, failure));
            rival.start();
            walk(together, at, 16, one, failure);
            rival.join();
            for (int meeting = 0; meeting < MEETINGS; meeting++) {
                check.meet(meeting);
            }
        }
        assertNull(failure.get());
    }

    private static void walk(
            CyclicBarrier together, AtomicIntegerArray at, int mine, Side side, AtomicReference<Throwable> failure) {
        try {
            at.set(mine, 0);
            together.await();
            for (int meeting = 0; meeting < MEETINGS; meeting++) {
                at.set(mine, meeting);
                for (int look = 0; look < LOOKS_MAX && at.get(16 - mine) < meeting; look++) {
                    Thread.onSpinWait();
                }
                side.meet(meeting);
            }
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }

    // ---- the leadership word ----

    private final LeadershipWord[] words = new LeadershipWord[MEETINGS];
    private final long[] begun = new long[MEETINGS];
    private final boolean[] ownerWon = new boolean[MEETINGS];
    private final boolean[] standbyWon = new boolean[MEETINGS];

    private void prepareWords() {
        for (int i = 0; i < MEETINGS; i++) {
            words[i] = new LeadershipWord();
            words[i].tryLead(1);
            begun[i] = words[i].beginProcessingRelease();
        }
    }

    private void checkWord(int meeting, int ownerIfTheOwnerWon) {
        assertTrue(ownerWon[meeting] ^ standbyWon[meeting], () -> "exactly one wins, at meeting " + meeting);
        long seen = words[meeting].wordAcquire();
        assertEquals(ownerWon[meeting] ? ownerIfTheOwnerWon : 2, LeadershipWord.owner(seen));
        assertEquals(LeadershipWord.LEADING, LeadershipWord.phase(seen));
    }

    @Test
    void eitherTheEventEndsOrItsLeaderIsDeposed() throws InterruptedException {
        race(
                this::prepareWords,
                i -> ownerWon[i] = words[i].endProcessing(begun[i]),
                i -> standbyWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 1));
    }

    @Test
    void eitherTheLeaderPromotesOrItIsDeposed() throws InterruptedException {
        race(
                this::prepareWords,
                i -> ownerWon[i] = words[i].promote(begun[i], 3),
                i -> standbyWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 3));
    }

    @Test
    void vacantWordIsTakenByOne() throws InterruptedException {
        race(
                () -> IntStream.range(0, MEETINGS).forEach(i -> words[i] = new LeadershipWord()),
                i -> ownerWon[i] = words[i].tryLead(1),
                i -> standbyWon[i] = words[i].tryLead(2),
                i -> checkWord(i, 1));
    }

    /** The ready list has no lock of its own. */
    @Test
    void newLeaderSeesWhatTheDeposedOneWroteBefore() throws InterruptedException {
        int[] readyList = new int[MEETINGS];
        int[] seenByStandby = new int[MEETINGS];
        race(
                () -> {
                    for (int i = 0; i < MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        readyList[i] = 0;
                        seenByStandby[i] = -1;
                    }
                },
                i -> {
                    readyList[i] = 42;
                    words[i].beginProcessingRelease();
                },
                i -> {
                    if (words[i].depose(words[i].wordAcquire(), 2)) {
                        seenByStandby[i] = readyList[i];
                    }
                },
                i -> assertTrue(seenByStandby[i] == -1 || seenByStandby[i] == 42));
    }

    private static final class Sleep {
        volatile boolean announced;
    }

    /** Dekker's: the standby announces its sleep and looks, the leader ends its wait and looks; one sees the other. */
    @Test
    void eitherTheLeaderSeesTheStandbySleepOrTheStandbySeesTheWaitEnd() throws InterruptedException {
        Sleep[] sleeps = new Sleep[MEETINGS];
        race(
                () -> {
                    for (int i = 0; i < MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        words[i].beginDetectingRelease();
                        sleeps[i] = new Sleep();
                    }
                },
                i -> {
                    words[i].endDetectingVolatile();
                    ownerWon[i] = sleeps[i].announced;
                },
                i -> {
                    sleeps[i].announced = true;
                    standbyWon[i] = LeadershipWord.phase(words[i].wordVolatile()) == LeadershipWord.LEADING;
                },
                i -> assertTrue(ownerWon[i] || standbyWon[i], () -> "neither, at meeting " + i));
    }

    // ---- the state of a handle ----

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

    private final Claimed[] states = new Claimed[MEETINGS];

    private void prepareStates() {
        for (int i = 0; i < MEETINGS; i++) {
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
        race(
                this::prepareStates,
                i -> {
                    states[i].process(states[i].claim(Ready.READ));
                    states[i].process(states[i].claim(Ready.HANGUP));
                },
                i -> {
                    states[i].process(states[i].claim(Ready.WRITE));
                    states[i].process(states[i].claim(Ready.ERROR));
                },
                i -> checkState(i, Ready.READ | Ready.HANGUP | Ready.WRITE | Ready.ERROR));
    }

    @Test
    void eventAndPostReachOneHolderEach() throws InterruptedException {
        race(
                this::prepareStates,
                i -> states[i].process(states[i].claim(Ready.READ)),
                i -> states[i].post(Ready.POSTED),
                i -> checkState(i, Ready.READ | Ready.POSTED));
    }

    @Test
    void whatIsNotedWhileSuspendedIsDispatchedAfterwards() throws InterruptedException {
        race(
                this::prepareStates,
                i -> {
                    states[i].suspend();
                    if (states[i].resume(Ready.REARM) == ClaimState.Resumption.POST_DUE) {
                        states[i].process(states[i].claimPosted());
                    }
                },
                i -> {
                    states[i].process(states[i].claim(Ready.READ));
                    states[i].post(Ready.POSTED);
                },
                i -> checkState(i, Ready.READ | Ready.POSTED | Ready.REARM));
    }

    /** Bits in the order in which holders were given them. */
    private final int[][] given = new int[MEETINGS][4];

    private void processInOrder(int meeting, int ready) {
        int[] order = given[meeting];
        for (int bits = ready; bits != 0; bits = states[meeting].release()) {
            order[++order[0]] = bits;
            if ((bits & Ready.RESUMED) != 0) {
                states[meeting].endDetention();
            }
        }
    }

    /** The work is done while the handler that has handed it away returns, and an event has come meanwhile. */
    @Test
    void endOfTheWorkReachesOneHolderAndTheEventFollowsIt() throws InterruptedException {
        race(
                () -> {
                    for (int i = 0; i < MEETINGS; i++) {
                        states[i] = new Claimed();
                        given[i][0] = 0;
                        states[i].claim(Ready.READ);
                        states[i].detain();
                    }
                },
                i -> {
                    states[i].claim(Ready.WRITE);
                    processInOrder(i, states[i].release());
                },
                i -> {
                    if (states[i].notePosted(Ready.RESUMED)) {
                        processInOrder(i, states[i].claimPosted());
                    }
                },
                i -> {
                    assertEquals(2, given[i][0], () -> "two rounds, at meeting " + i);
                    assertEquals(Ready.RESUMED, given[i][1], "before the event");
                    assertEquals(Ready.WRITE, given[i][2]);
                    assertTrue(!states[i].isClaimed());
                });
    }

    /** A handle that several hold at once; whoever is given the request to close is alone. */
    private static final class Shared extends ClaimState {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger consumed = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        volatile String violation;

        Shared() {
            super(true);
        }

        void process(int ready) {
            for (int bits = ready; bits != 0; bits = release()) {
                int others = inside.getAndIncrement();
                if (closes.get() > 0) {
                    violation = "entered after the close";
                }
                consumed.accumulateAndGet(bits, (before, now) -> before | now);
                if ((bits & Ready.CLOSE) != 0) {
                    if (others > 0) {
                        violation = "closed with others inside";
                    }
                    closes.incrementAndGet();
                    markClosed();
                }
                inside.decrementAndGet();
            }
        }

        void post(int bit) {
            if (notePosted(bit)) {
                process(claimPosted());
            }
        }
    }

    private final Shared[] shared = new Shared[MEETINGS];

    private void prepareShared() {
        for (int i = 0; i < MEETINGS; i++) {
            shared[i] = new Shared();
        }
    }

    private void checkShared(int meeting, int closes) {
        assertNull(shared[meeting].violation, () -> "at meeting " + meeting);
        assertEquals(closes, shared[meeting].closes.get());
        assertTrue(!shared[meeting].isClaimed(), "nobody holds it in the end");
    }

    @Test
    void concurrentHandleIsClosedOnceAndByThreadThatIsAlone() throws InterruptedException {
        race(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(Ready.READ));
                    shared[i].process(shared[i].claim(Ready.WRITE));
                },
                i -> {
                    shared[i].process(shared[i].claim(Ready.READ));
                    shared[i].post(Ready.CLOSE);
                },
                i -> checkShared(i, 1));
    }

    @Test
    void concurrentHandleThatBothCloseIsClosedOnce() throws InterruptedException {
        race(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(Ready.READ));
                    shared[i].post(Ready.CLOSE);
                },
                i -> {
                    shared[i].post(Ready.POSTED);
                    shared[i].post(Ready.CLOSE);
                },
                i -> checkShared(i, 1));
    }

    @Test
    void eventsAndPostsOfAConcurrentHandleReachAHolder() throws InterruptedException {
        race(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(Ready.READ));
                    shared[i].post(Ready.POSTED);
                    shared[i].process(shared[i].claim(Ready.HANGUP));
                },
                i -> {
                    shared[i].suspend();
                    shared[i].post(Ready.POSTED_2);
                    if (shared[i].resume(0) == ClaimState.Resumption.POST_DUE) {
                        shared[i].process(shared[i].claimPosted());
                    }
                    shared[i].process(shared[i].claim(Ready.ERROR));
                },
                i -> {
                    checkShared(i, 0);
                    assertEquals(
                            Ready.READ | Ready.POSTED | Ready.HANGUP | Ready.POSTED_2 | Ready.ERROR,
                            shared[i].consumed.get());
                });
    }

    /** What a poster wrote before it posted, by a plain store, is seen by the call that its post is merged into. */
    @Test
    void mergedPostStillPublishes() throws InterruptedException {
        int[][] published = new int[MEETINGS][1];
        int[] seen = new int[MEETINGS];
        race(
                () -> {
                    for (int i = 0; i < MEETINGS; i++) {
                        states[i] = new Claimed();
                        states[i].notePosted(Ready.POSTED); // listed; the next one is merged into it
                        published[i] = new int[1];
                        seen[i] = -1;
                    }
                },
                i -> {
                    if ((states[i].claimPosted() & Ready.POSTED) != 0) {
                        seen[i] = published[i][0];
                    }
                },
                i -> {
                    published[i][0] = 42;
                    ownerWon[i] = states[i].notePosted(Ready.POSTED);
                },
                i -> {
                    // Another call is due for it, or it was merged into the one that there was.
                    boolean anotherDue = ownerWon[i] || states[i].release() != 0;
                    assertTrue(anotherDue || seen[i] == 42, () -> "lost at meeting " + i);
                });
    }

    // ---- the notice that wakes the leader ----

    /** The next post comes the moment the last one was processed: while the leader goes to sleep. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void postAtTheMomentTheLeaderGoesToSleepWakesIt(int threads) throws InterruptedException {
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", threads));
        Semaphore processed = new Semaphore(0);
        MemoryHandle handle = new MemoryHandle(set, "handle", null, (h, ready) -> processed.release());
        FakeHandle other = new FakeHandle(set, "other", (h, ready) -> processed.release());
        set.register(handle);
        set.register(other);
        try (pool) {
            pool.start();
            for (int i = 0; i < 20_000; i++) {
                (i % 2 == 0 ? handle : other).post(Ready.POSTED);
                assertTrue(processed.tryAcquire(20, TimeUnit.SECONDS), "post " + i + " was lost");
            }
        }
    }
}
