package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.leadership.FollowerQueue;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The follower that becomes leader. */
@Timeout(300)
class PromotionOrderTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private void pool(Promotion promotion, PromotionOrder order) {
        fixture = new PoolFixture(
                PoolConfig.of("test", 4).withPromotion(promotion).withOrder(order), Deactivation.CLAIM);
    }

    private String leader() {
        return fixture.states().entrySet().stream()
                .filter(entry -> entry.getValue() == ThreadState.LEADER)
                .findAny()
                .orElseThrow()
                .getKey();
    }

    /** Leaders after each of some events that are processed one at a time. */
    private List<String> leadersAfter(int events) {
        List<String> leaders = new ArrayList<>();
        FakeHandle handle = fixture.quick("handle");
        for (int i = 0; i < events; i++) {
            fixture.report(handle);
            leaders.add(leader());
        }
        return leaders;
    }

    @Test
    void lifoPromotesTheLastToCome() {
        pool(Promotion.eager(), PromotionOrder.lifo());
        fixture.join("a", "b", "c", "d");
        assertEquals(List.of("d", "a", "d", "a"), leadersAfter(4), "a comes back last each time, b and c rest");
    }

    @Test
    void fifoPromotesTheOneThatHasWaitedLongest() {
        pool(Promotion.eager(), PromotionOrder.fifo());
        fixture.join("a", "b", "c", "d");
        assertEquals(List.of("b", "c", "d", "a", "b", "c", "d", "a"), leadersAfter(8));
    }

    @Test
    void fairPoolIsEagerAndFifo() {
        PoolConfig fair = PoolConfig.fair("fair", 3);
        assertEquals(Promotion.eager(), fair.promotion());
        assertEquals(PromotionOrder.fifo(), fair.order());
    }

    @Test
    void fifoTakesOverInOrderToo() {
        pool(Promotion.deferred(PoolFixture.MAX_GAP), PromotionOrder.fifo());
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals("b", leader());
        fixture.open(gate);
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow again", second));
        fixture.advance(PoolFixture.LOOK_NS);
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals("c", leader(), "a has come back behind c");
    }

    @Test
    void priorityPromotesTheFirstByComparator() {
        pool(Promotion.eager(), PromotionOrder.priority(Comparator.comparing(Thread::getName)));
        fixture.join("d", "c", "a", "b");
        assertEquals(List.of("a", "b", "a", "b"), leadersAfter(4), "the two best take turns");
    }

    @Test
    void equalPrioritiesAreServedInOrderOfArrival() {
        pool(Promotion.eager(), PromotionOrder.priority());
        fixture.join("a", "b", "c");
        assertEquals(List.of("b", "c", "a"), leadersAfter(3));
    }

    @Test
    void higherThreadPriorityComesFirst() {
        LinkedThreads threads = new LinkedThreads(PromotionOrder.priority().newQueue(null));
        threads.add(Thread.NORM_PRIORITY);
        Member urgent = threads.add(Thread.MAX_PRIORITY);
        threads.add(Thread.MIN_PRIORITY);
        assertSame(urgent, threads.line.first());
    }

    /** Makes followers of threads that are not started. */
    private record LinkedThreads(FollowerQueue line, List<Member> members) {
        LinkedThreads(FollowerQueue line) {
            this(line, new ArrayList<>());
        }

        Member add(int priority) {
            Thread thread = new Thread(() -> {}, "thread-" + members.size());
            thread.setPriority(priority);
            Member member = new Member(members.size() + 1, thread);
            members.add(member);
            line.add(member);
            return member;
        }
    }

    @Test
    void moreUrgentFollowerTakesOver() {
        pool(Promotion.deferred(PoolFixture.MAX_GAP), PromotionOrder.priority(Comparator.comparing(Thread::getName)));
        fixture.join("d", "c", "b");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals("b", leader());
        assertEquals(1, fixture.pool.counters().takeovers());
    }

    @Test
    void moreUrgentFollowerThatComesLateTakesOverWithoutAnotherGap() {
        pool(Promotion.deferred(PoolFixture.MAX_GAP), PromotionOrder.priority(Comparator.comparing(Thread::getName)));
        fixture.join("d", "c");
        fixture.time.computes("d");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(PoolFixture.LOOK_NS);
        fixture.join("a");
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals("a", leader());
    }

    @Test
    void comparatorThatThrowsIsCountedAndArrivalDecides() {
        pool(Promotion.eager(), PromotionOrder.priority((one, other) -> {
            throw new IllegalStateException("expected by a test: no order");
        }));
        fixture.join("a", "b", "c");
        assertEquals(List.of("b", "c", "a", "b"), leadersAfter(4));
        assertEquals(4, fixture.pool.counters().processed());
        assertEquals(true, fixture.pool.counters().failures() > 0);
    }

    @Test
    void anyPromotesOneThatIsAwake() {
        LinkedThreads threads = new LinkedThreads(PromotionOrder.any().newQueue(null));
        Member awake = threads.add(Thread.NORM_PRIORITY);
        Member asleep = threads.add(Thread.NORM_PRIORITY);
        asleep.asleep = true;
        assertSame(awake, threads.line.first());
        awake.asleep = true;
        assertSame(asleep, threads.line.first(), "the newest, when all of them sleep");
    }

    @Test
    void anyKeepsThePoolGoing() {
        pool(Promotion.eager(), PromotionOrder.any());
        fixture.join("a", "b", "c");
        leadersAfter(5);
        assertEquals(5, fixture.pool.counters().processed());
        assertEquals(5, fixture.pool.counters().promotions());
    }

    @Test
    void followerLeavesFromTheMiddleOfEveryLine() {
        for (PromotionOrder order : List.of(
                PromotionOrder.lifo(), PromotionOrder.fifo(), PromotionOrder.any(), PromotionOrder.priority())) {
            LinkedThreads threads = new LinkedThreads(order.newQueue(null));
            Member first = threads.add(Thread.NORM_PRIORITY);
            Member middle = threads.add(Thread.NORM_PRIORITY);
            Member last = threads.add(Thread.NORM_PRIORITY);
            threads.line.remove(middle);
            assertEquals(2, threads.line.size(), order.toString());
            assertEquals(2, threads.line.all().size());
            threads.line.remove(threads.line.first());
            threads.line.remove(threads.line.first());
            assertNull(threads.line.first());
            assertEquals(0, threads.line.size());
            threads.line.add(first);
            threads.line.add(last);
            assertEquals(2, threads.line.all().size());
        }
    }
}
