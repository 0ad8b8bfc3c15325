package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that come and go: time-outs, refusals, interrupts. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class JoinTest {
    private static final Duration TIMEOUT = Duration.ofMillis(5);

    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, boolean eager) {
        fixture = eager ? PoolFixture.eager(threads) : PoolFixture.deferred(threads);
    }

    // ---- join with a time-out ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followerLeavesWhenItsTimeIsUp(boolean eager) {
        pool(3, eager);
        fixture.join("a", "b");
        JoiningThread guest = fixture.join("guest", TIMEOUT);
        fixture.advance(TIMEOUT.toNanos() - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("guest"));
        fixture.time.advance(1);
        fixture.awaitLeft("guest");
        assertTrue(guest.timedOut());
        assertEquals(Map.of("a", ThreadState.LEADER, "b", ThreadState.FOLLOWER), fixture.states());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaderLeavesWhenItsTimeIsUpAndPassesLeadershipOn(boolean eager) {
        pool(3, eager);
        JoiningThread guest = fixture.join("guest", TIMEOUT);
        fixture.join("a", "b");
        assertEquals(ThreadState.LEADER, fixture.state("guest"));
        fixture.time.advance(TIMEOUT.toNanos());
        fixture.awaitLeft("guest");
        fixture.awaitIdle();
        assertTrue(guest.timedOut());
        assertEquals(Map.of("a", ThreadState.FOLLOWER, "b", ThreadState.LEADER), fixture.states());
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by b"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handlerThatRunsAtTheTimeoutCompletes(boolean eager) {
        pool(2, eager);
        JoiningThread guest = fixture.join("guest", TIMEOUT);
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        fixture.time.advance(2 * TIMEOUT.toNanos());
        assertFalse(guest.hasLeft());
        fixture.open(gate);
        fixture.awaitLeft("guest");
        assertTrue(guest.timedOut());
        assertEquals(List.of("slow begun by guest", "slow ended by guest"), fixture.log);
        fixture.join("a");
        assertEquals(ThreadState.LEADER, fixture.state("a"), "leadership is vacant again");
    }

    @Test
    void onlyThreadLeavesWhenItsTimeIsUp() {
        pool(1, true);
        JoiningThread guest = fixture.join("guest", TIMEOUT);
        fixture.time.advance(TIMEOUT.toNanos());
        fixture.awaitLeft("guest");
        assertTrue(guest.timedOut());
        fixture.join("other");
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by other"), fixture.log);
    }

    @Test
    void noTimeAtAllIsEnoughForWhatIsReady() {
        pool(2, true);
        FakeHandle handle = fixture.quick("quick");
        handle.post(Ready.POSTED);
        JoiningThread guest = fixture.join("guest", Duration.ZERO);
        fixture.awaitLeft("guest");
        assertTrue(guest.timedOut());
        assertEquals(List.of("quick by guest"), fixture.log);
    }

    static List<Promotion> promotions() {
        return List.of(Promotion.eager(), Promotion.deferred(PoolFixture.MAX_GAP));
    }

    @ParameterizedTest
    @MethodSource("promotions")
    void guestWhoseTimeIsUpLeavesTheRestOfTheReadyListToOthers(Promotion promotion) {
        for (int threads : new int[] {1, 2}) {
            if (fixture != null) {
                fixture.close();
            }
            fixture = new PoolFixture(threads, promotion);
            JoiningThread guest = fixture.join("guest", TIMEOUT);
            FakeHandle[] handles = new FakeHandle[5];
            Gate gate = fixture.gate();
            for (int i = 0; i < handles.length; i++) {
                handles[i] = i == 0 ? fixture.slow("slow", gate) : fixture.quick("handle " + i);
            }
            fixture.report(handles);
            fixture.time.advance(TIMEOUT.toNanos());
            fixture.open(gate);
            fixture.awaitLeft("guest");
            assertTrue(guest.timedOut());
            assertEquals(List.of("slow begun by guest", "slow ended by guest"), fixture.log);
            fixture.join("other");
            assertEquals(6, fixture.log.size(), fixture.log::toString);
            assertEquals("handle 1 by other", fixture.log.get(2));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitWhoseTimeIsUpDoesNotGoOnWithTheReadyList(boolean eager) {
        pool(1, eager);
        Reply<String> reply = fixture.pool.newReply();
        Gate gate = fixture.gate();
        FakeHandle[] handles = new FakeHandle[4];
        handles[0] = fixture.set.register("waiting", (handle, ready) -> {
            assertThrows(TimeoutException.class, () -> reply.await(TIMEOUT));
            fixture.log.add("waited");
        });
        handles[1] = fixture.slow("slow", gate);
        handles[2] = fixture.quick("third");
        handles[3] = fixture.quick("fourth");
        fixture.join("a");
        fixture.report(handles);
        gate.awaitEntered();
        fixture.time.advance(TIMEOUT.toNanos());
        fixture.open(gate);
        assertEquals(List.of("slow begun by a", "slow ended by a", "waited", "third by a", "fourth by a"), fixture.log);
    }

    /** The follower has been promoted, and finds that its time is up before it finds that. */
    @Test
    void followerPromotedAtTheMomentItsTimeIsUpPassesLeadershipOn() {
        pool(4, false);
        LeadershipWord word = new LeadershipWord();
        Followers followers =
                new Followers(new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(null), fixture.time);
        Member leader = new Member(1, new Thread());
        Member lastComer = new Member(2, new Thread());
        Member other = new Member(3, new Thread());
        assertTrue(followers.leadOrFollow(leader));
        assertFalse(followers.leadOrFollow(other));
        assertFalse(followers.leadOrFollow(lastComer));
        assertTrue(followers.handOver(0, 0));
        assertTrue(lastComer.promoted);
        assertFalse(followers.leave(lastComer), "too late");
        assertTrue(followers.handOver(0, 0));
        assertEquals(3, LeadershipWord.owner(word.wordAcquire()));
        assertTrue(other.promoted);
    }

    /** The same through the pool: the leader's time is up in the same instant as the follower's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whenEverybodysTimeIsUpAtOnceAllLeaveAndLeadershipIsVacant(boolean eager) {
        pool(3, eager);
        for (int i = 0; i < 50; i++) {
            List<JoiningThread> guests = new ArrayList<>();
            for (String name : List.of("x", "y", "z")) {
                guests.add(fixture.join(name, TIMEOUT));
            }
            fixture.time.advance(TIMEOUT.toNanos());
            for (String name : List.of("x", "y", "z")) {
                fixture.awaitLeft(name);
            }
            assertTrue(guests.stream().allMatch(JoiningThread::timedOut));
        }
        fixture.join("a");
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    @Test
    void veryLongTimeoutIsForEver() {
        pool(2, true);
        fixture.join("a", Duration.ofSeconds(Long.MAX_VALUE));
        fixture.advance(Duration.ofDays(36_500).toNanos());
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    // ---- join refused ----

    @Test
    void joiningAStoppedPoolIsRefused() {
        pool(2, true);
        fixture.pool.stop();
        assertEquals(
                "join: pool test is stopped",
                assertThrows(IllegalStateException.class, () -> fixture.pool.join())
                        .getMessage());
        assertThrows(IllegalStateException.class, () -> fixture.pool.join(TIMEOUT));
    }

    @Test
    void joiningTwiceIsRefused() {
        pool(2, true);
        FakeHandle handle = fixture.set.register(
                "handle",
                (h, ready) -> fixture.log.add(assertThrows(IllegalStateException.class, () -> fixture.pool.join())
                        .getMessage()));
        fixture.join("a");
        fixture.report(handle);
        assertEquals(List.of("a takes part in pool test already"), fixture.log);
    }

    @Test
    void moreThreadsThanConfiguredAreRefused() {
        pool(2, true);
        fixture.join("a", "b");
        assertEquals(
                "pool test has its full number of threads, 2",
                assertThrows(IllegalStateException.class, () -> fixture.pool.join())
                        .getMessage());
        assertEquals(Map.of("a", ThreadState.LEADER, "b", ThreadState.FOLLOWER), fixture.states());
    }

    // ---- interrupts ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptDoesNotEndAJoinAndIsRestored(boolean eager) {
        pool(3, eager);
        fixture.join("a", "b", "c");
        fixture.time.interrupt(fixture.participant("a").thread);
        fixture.time.interrupt(fixture.participant("c").thread);
        fixture.awaitIdle();
        assertEquals(
                Map.of("a", ThreadState.LEADER, "b", ThreadState.FOLLOWER, "c", ThreadState.FOLLOWER),
                fixture.states());
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by a"), fixture.log);
        fixture.pool.stop();
        fixture.awaitTerminated();
        for (String name : List.of("a", "b", "c")) {
            fixture.awaitLeft(name);
            assertTrue(fixture.participant(name).wasStopped());
        }
        assertTrue(fixture.participant("a").leftInterrupted());
        assertFalse(fixture.participant("b").leftInterrupted());
        assertTrue(fixture.participant("c").leftInterrupted());
    }

    @Test
    void interruptedExceptionOfAHandlerIsAnInterruptOfItsThread() {
        pool(2, false);
        fixture.join("a");
        fixture.report(fixture.set.register("handle", (handle, ready) -> {
            throw new InterruptedException("thrown by a handler on purpose");
        }));
        fixture.pool.stop();
        fixture.awaitLeft("a");
        assertTrue(fixture.participant("a").leftInterrupted());
        assertTrue(fixture.participant("a").wasStopped());
    }
}
