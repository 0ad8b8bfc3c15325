package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.observe.TaskCounters;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks from other threads, in virtual time. */
@Timeout(300)
class TaskQueueTest {
    enum Kind {
        SOLO(1, Promotion.eager()),
        EAGER(3, Promotion.eager()),
        DEFERRED(3, Promotion.deferred(PoolFixture.MAX_GAP));

        final int threads;
        final Promotion promotion;

        Kind(int threads, Promotion promotion) {
            this.threads = threads;
            this.promotion = promotion;
        }
    }

    private PoolFixture fixture = PoolFixture.eager(3);

    @AfterEach
    void close() {
        fixture.close();
    }

    private TaskQueue queue(int capacity) {
        return new TaskQueue(fixture.set, "queue", capacity);
    }

    private TaskQueue queue(Kind kind, int capacity) {
        fixture.close();
        fixture = new PoolFixture(kind.threads, kind.promotion);
        return queue(capacity);
    }

    private Runnable telling(String name) {
        return () -> fixture.log.add(name + " by " + Thread.currentThread().getName());
    }

    /** The numbers of the tasks that have run, in their order. */
    private List<Integer> offerNumbered(TaskQueue queue, int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            assertTrue(queue.offer(() -> numbers.add(number)));
        }
        return numbers;
    }

    private static void assertNumbered(int count, List<Integer> numbers) {
        for (int i = 0; i < count; i++) {
            assertEquals(i, numbers.get(i));
        }
        assertEquals(count, numbers.size());
    }

    // ---- guests ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void acceptedTasksRunThoughOnlyGuestsHaveTakenPart(Kind kind) {
        TaskQueue queue = queue(kind, 8);
        JoiningThread guest = fixture.join("guest", PoolFixture.MAX_GAP);
        fixture.time.advance(PoolFixture.GAP_NS);
        fixture.awaitLeft("guest");
        assertTrue(guest.timedOut());
        List<Integer> numbers = offerNumbered(queue, 3);
        fixture.pool.close();
        assertTrue(fixture.pool.isTerminated());
        assertNumbered(3, numbers);
        assertEquals(List.of(), queue.unrun());
    }

    // ---- running ----

    @Test
    void taskWakesTheLeaderAndRunsOnIt() {
        fixture.join("a");
        TaskQueue queue = queue(8);
        int interrupts = fixture.set.interrupts();
        assertTrue(queue.offer(telling("task")));
        fixture.awaitIdle();
        assertEquals(List.of("task by a"), fixture.log);
        assertEquals(interrupts + 1, fixture.set.interrupts());
        assertEquals(new TaskCounters(1, 0, 0, 0, 0, 0), queue.counters());
    }

    @Test
    void tasksThatComeTogetherCostOneWakeup() {
        fixture.join("a");
        TaskQueue queue = queue(8);
        Gate gate = fixture.gate();
        int interrupts = fixture.set.interrupts();
        queue.execute(gate::pass);
        gate.awaitEntered();
        List<Integer> numbers = offerNumbered(queue, 8);
        assertEquals(interrupts + 1, fixture.set.interrupts());
        fixture.open(gate);
        assertNumbered(8, numbers);
        assertEquals(interrupts + 1, fixture.set.interrupts());
    }

    @Test
    void tasksOfferedBeforeTheFirstThreadComesAreKept() {
        List<Integer> numbers = offerNumbered(queue(8), 3);
        fixture.join("a");
        assertNumbered(3, numbers);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EAGER", "DEFERRED"})
    void oneTaskRunsAtATimeWhileOtherThreadsServeTheRest(Kind kind) {
        TaskQueue queue = queue(kind, 8);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        queue.execute(gate::pass);
        gate.awaitEntered();
        fixture.awaitIdle();
        for (int looks = 0; looks < 4; looks++) { // the watcher deposes a deferred leader
            fixture.advance(PoolFixture.LOOK_NS);
        }
        queue.execute(telling("second task"));
        fixture.report(fixture.quick("handle"));
        assertEquals(1, fixture.log.size(), fixture.log::toString);
        assertTrue(fixture.log.get(0).startsWith("handle by "), fixture.log::toString);
        fixture.open(gate);
        assertTrue(fixture.log.get(1).startsWith("second task by "), fixture.log::toString);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void taskThatWaitsIsAnsweredByATaskBehindItsOwn(Kind kind) {
        TaskQueue queue = queue(kind, 8);
        fixture.join("a");
        Reply<String> reply = fixture.pool.newReply();
        queue.execute(() -> {
            fixture.log.add("asks");
            fixture.log.add(answer(reply));
        });
        queue.execute(() -> {
            fixture.log.add("answers");
            reply.complete("the answer");
        });
        queue.execute(() -> fixture.log.add("third task"));
        fixture.awaitIdle();
        assertEquals(List.of("asks", "answers"), fixture.log.subList(0, 2), fixture.log::toString);
        assertEquals(4, fixture.log.size(), fixture.log::toString);
        assertEquals(new TaskCounters(3, 0, 0, 0, 0, 0), queue.counters());
    }

    @Test
    void taskThatHasWaitedLeavesTheQueueToWhoeverServesItSince() {
        TaskQueue queue = queue(Kind.EAGER, 8);
        fixture.join("a", "b", "c");
        Reply<String> reply = fixture.pool.newReply();
        Gate gate = fixture.gate();
        // Offered by the task that waits next: else that thread may
        // lead, in its wait, when the second task comes, and run it.
        queue.execute(() -> {
            queue.execute(gate::pass);
            queue.execute(() -> fixture.log.add("third task"));
            fixture.log.add(answer(reply));
        });
        gate.awaitEntered();
        reply.complete("the answer");
        fixture.awaitIdle();
        assertEquals(1, count("the answer"), fixture.log::toString);
        assertEquals(0, count("third task"), "ran beside the second task");
        fixture.open(gate);
        assertEquals(List.of("the answer", "third task"), fixture.log);
    }

    private long count(String line) {
        return fixture.log.stream().filter(line::equals).count();
    }

    private static String answer(Reply<String> reply) {
        try {
            return reply.await(PoolFixture.MAX_GAP.multipliedBy(1_000));
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void taskMayPromoteANewLeader() {
        TaskQueue queue = queue(Kind.DEFERRED, 8);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        queue.execute(() -> {
            fixture.log.add("promoted: " + fixture.pool.promoteNewLeader());
            gate.pass();
        });
        gate.awaitEntered();
        fixture.awaitIdle();
        assertEquals(List.of("promoted: true"), fixture.log);
        assertEquals(ThreadState.PROCESSING, fixture.state("a"));
        assertTrue(fixture.states().containsValue(ThreadState.LEADER));
    }

    @Test
    void taskMayOfferTasks() {
        fixture.join("a");
        TaskQueue queue = queue(1);
        queue.execute(() -> {
            fixture.log.add("first");
            queue.execute(() -> fixture.log.add("second"));
        });
        fixture.awaitIdle();
        assertEquals(List.of("first", "second"), fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void otherEventsGetTheirTurnAmongManyTasks(Kind kind) {
        int count = 1_000;
        TaskQueue queue = queue(kind, count);
        List<Integer> numbers = new ArrayList<>();
        int[] runBefore = {-1};
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> runBefore[0] = numbers.size());
        for (int i = 0; i < count; i++) {
            int number = i;
            queue.execute(() -> {
                numbers.add(number);
                if (number == 0) {
                    fixture.set.report(handle);
                }
            });
        }
        fixture.join("a");
        assertNumbered(count, numbers);
        int bound = TaskQueue.BATCH_MAX * Dispatcher.ROUNDS_MAX;
        assertTrue(runBefore[0] > 0 && runBefore[0] <= bound, () -> "it came after " + runBefore[0] + " tasks");
    }

    // ---- refusing ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void fullQueueRefusesCountsAndTakesTasksAgain(int capacity) {
        fixture.join("a");
        TaskQueue queue = queue(capacity);
        Gate gate = fixture.gate();
        queue.execute(gate::pass);
        gate.awaitEntered();
        List<Integer> numbers = offerNumbered(queue, capacity);
        assertEquals(capacity, queue.size());
        assertFalse(queue.offer(telling("refused")));
        assertEquals(
                "task queue queue is full, with " + capacity + " tasks that wait",
                assertThrows(RejectedExecutionException.class, () -> queue.execute(telling("refused")))
                        .getMessage());
        assertEquals(new TaskCounters(0, 0, 2, 0, capacity, 0), queue.counters());
        assertEquals(2, fixture.set.queueFullCount());
        fixture.open(gate);
        assertNumbered(capacity, numbers);
        assertTrue(queue.offer(telling("task")));
        fixture.awaitIdle();
        assertEquals(List.of("task by a"), fixture.log);
        assertEquals(new TaskCounters(capacity + 2, 0, 2, 0, 0, 0), queue.counters());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, TaskQueue.CAPACITY_MAX + 1, Integer.MAX_VALUE})
    void capacityOutOfRangeIsRefusedAndRegistersNothing(int capacity) {
        assertThrows(IllegalArgumentException.class, () -> queue(capacity));
        assertEquals(0, fixture.set.handleCount());
    }

    @Test
    void nothingIsNoTask() {
        TaskQueue queue = queue(1);
        assertThrows(NullPointerException.class, () -> queue.offer(null));
        assertEquals(0, queue.size());
    }

    // ---- failing ----

    @Test
    void taskThatThrowsIsCountedAndTheNextOneRuns() throws Exception {
        fixture.join("a");
        TaskQueue queue = queue(8);
        queue.execute(() -> {
            throw new IllegalStateException("thrown by a task on purpose");
        });
        queue.execute(() -> {
            throw new InternalError("thrown by a task on purpose");
        });
        FutureTask<String> future = new FutureTask<>(() -> "done");
        queue.execute(future);
        fixture.awaitIdle();
        assertEquals("done", future.get());
        assertEquals(new TaskCounters(3, 2, 0, 0, 0, 0), queue.counters());
        assertEquals(2, fixture.pool.counters().failures());
        assertFalse(queue.isClosed());
    }

    // ---- ending ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closedQueueRunsWhatItHasAcceptedAndTakesNoMore(Kind kind) {
        int count = 1_000;
        TaskQueue queue = queue(kind, count);
        Gate gate = fixture.gate();
        fixture.join("a");
        queue.execute(gate::pass);
        gate.awaitEntered();
        List<Integer> numbers = offerNumbered(queue, count);
        queue.close();
        assertFalse(queue.offer(telling("late")));
        assertEquals(
                "task queue queue is closed",
                assertThrows(RejectedExecutionException.class, () -> queue.execute(telling("late")))
                        .getMessage());
        assertFalse(queue.isClosed());
        fixture.open(gate);
        assertNumbered(count, numbers);
        assertTrue(queue.isClosed());
        assertEquals(0, fixture.set.handleCount());
        assertEquals(List.of(), queue.unrun());
        queue.close();
        assertEquals(new TaskCounters(count + 1, 0, 0, 2, 0, 0), queue.counters());
    }

    @Test
    void taskMayCloseItsQueue() {
        TaskQueue queue = queue(8);
        queue.execute(queue::close);
        fixture.join("a");
        assertTrue(queue.isClosed());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void gracefulStopRunsWhatWasAcceptedAndTakesNoMore(Kind kind) {
        int count = TaskQueue.BATCH_MAX * Dispatcher.ROUNDS_MAX * 3;
        TaskQueue queue = queue(kind, count);
        Gate gate = fixture.gate();
        fixture.join("a");
        queue.execute(gate::pass);
        gate.awaitEntered();
        List<Integer> numbers = offerNumbered(queue, count);
        fixture.pool.stop();
        assertFalse(queue.offer(telling("late")));
        assertEquals(
                "task queue queue takes no tasks: pool test is stopped",
                assertThrows(RejectedExecutionException.class, () -> queue.execute(telling("late")))
                        .getMessage());
        gate.open();
        fixture.awaitTerminated();
        assertNumbered(count, numbers);
        assertEquals(new TaskCounters(count + 1, 0, 0, 2, 0, 0), queue.counters());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void immediateStopLeavesTheRestToBeHadFromTheQueue(Kind kind) {
        TaskQueue queue = queue(kind, 8);
        Gate gate = fixture.gate();
        fixture.join("a");
        queue.execute(gate::pass);
        gate.awaitEntered();
        Runnable first = telling("first");
        Runnable second = telling("second");
        queue.execute(first);
        queue.execute(second);
        fixture.pool.stopNow();
        assertEquals(List.of(), queue.unrun(), "the pool has not terminated");
        gate.open();
        fixture.awaitTerminated();
        assertEquals(new TaskCounters(1, 0, 0, 0, 0, 2), queue.counters());
        assertEquals(List.of(first, second), queue.unrun());
        fixture.close();
        assertEquals(List.of(first, second), queue.unrun());
        assertEquals(List.of(), fixture.log);
        assertEquals(new TaskCounters(1, 0, 0, 0, 0, 2), queue.counters());
        assertThrows(IllegalStateException.class, () -> queue(8), "its set is closed");
    }

    @Test
    void tasksOfAPoolThatStopsWithoutAnyThreadAreUnrun() throws Exception {
        TaskQueue queue = queue(8);
        Runnable task = telling("task");
        assertTrue(queue.offer(task));
        fixture.pool.stop();
        assertTrue(fixture.pool.awaitTermination(Duration.ZERO));
        assertEquals(List.of(task), queue.unrun());
        assertEquals(new TaskCounters(0, 0, 0, 0, 0, 1), queue.counters());
        assertEquals(0, queue.size());
    }

    @Test
    void tasksOfADeactivatedQueueAreUnrunWhenThePoolHasStopped() {
        fixture.join("a");
        TaskQueue queue = queue(8);
        fixture.pool.deactivateHandle(fixture.set.handles().get(0));
        Runnable task = telling("task");
        assertTrue(queue.offer(task));
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertEquals(List.of(task), queue.unrun());
        assertEquals(List.of(), fixture.log);
    }

    @Test
    void tasksOfAPoolThatHasFailedAreUnrun() {
        fixture.join("a");
        TaskQueue queue = queue(8);
        Gate gate = fixture.gate();
        queue.execute(gate::pass);
        gate.awaitEntered();
        Runnable task = telling("task");
        queue.execute(task);
        fixture.pool.fail(new IOException("broken on purpose"));
        gate.open();
        fixture.awaitTerminated();
        assertEquals(List.of(task), queue.unrun());
    }

    @Test
    void offerDuringWhichThePoolTerminatesIsRefused() throws Exception {
        Runnable task = telling("task");
        EndingPool ending = new EndingPool(queue -> {});
        assertFalse(ending.queue.offer(task));
        assertEquals(List.of(), ending.queue.unrun());
        assertEquals(new TaskCounters(0, 0, 0, 1, 0, 0), ending.queue.counters());
        ending.close();
    }

    /** The caller of unrun may run the task, so the caller of offer must not run it, too. */
    @Test
    void taskThatWasHandedOutAsUnrunDuringItsOfferIsAccepted() throws Exception {
        Runnable task = telling("task");
        List<Runnable> handedOut = new ArrayList<>();
        EndingPool ending = new EndingPool(queue -> handedOut.addAll(queue.unrun()));
        assertTrue(ending.queue.offer(task));
        assertEquals(List.of(task), handedOut);
        assertEquals(List.of(task), ending.queue.unrun());
        assertEquals(new TaskCounters(0, 0, 0, 0, 0, 1), ending.queue.counters());
        ending.close();
    }

    /** A pool that terminates when an offer has put its task into the queue, and wakes the leader. */
    private final class EndingPool {
        final PostOnlySet set;
        final LeaderFollowersPool pool;
        final TaskQueue queue;
        final TestThread guest;

        EndingPool(Consumer<TaskQueue> whenTerminated) {
            set = new PostOnlySet(() -> {}) {
                @Override
                protected void interruptAwait() {
                    LeaderFollowersPool.of(this).stopNow();
                    super.interruptAwait();
                    assertTrue(Await.until(Await.PATIENCE, LeaderFollowersPool.of(this)::isTerminated));
                    whenTerminated.accept(queue());
                }
            };
            pool = new LeaderFollowersPool(set, PoolConfig.of("ending", 1));
            queue = new TaskQueue(set, "queue", 8);
            guest = TestThread.start("guest", pool::join);
            assertTrue(Await.until(Await.PATIENCE, set::isAwaited));
        }

        private TaskQueue queue() {
            return queue;
        }

        void close() throws Exception {
            guest.join();
            set.close();
            assertEquals(List.of(), fixture.log);
        }
    }

    @Test
    void taskThatClosesTheHandleUnderItsQueueIsTheLast() {
        TaskQueue queue = queue(8);
        Runnable left = telling("left");
        queue.execute(() -> fixture.set.handles().get(0).close());
        queue.execute(left);
        fixture.join("a");
        assertEquals(List.of(), fixture.log);
        assertEquals(List.of(left), queue.unrun());
    }
}
