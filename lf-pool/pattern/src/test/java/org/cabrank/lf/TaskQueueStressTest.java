package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.TaskCounters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Producers against a small queue that is closed under them in every way there is, with a ledger of each task: one that was
 * accepted runs once or (when the pool stopped during its offer, or at once, or without a thread) is handed back as soon as
 * the pool has terminated, one that was refused never runs, and each producer's run in their order.
 *
 * <p>{@code cabrank.stress.seconds} (4) as for {@link PoolStressTest}; a quarter of it is spent here.
 */
@Tag("newest") // on an older JDK in a soak only
class TaskQueueStressTest {
    private static final int PRODUCERS = 3;
    private static final int CAPACITY = 8;

    enum Ending {
        CLOSE,
        CLOSE_BY_A_TASK,
        STOP,
        STOP_NOW,

        /** Only a guest has taken part, and has left. */
        STOP_WITHOUT_THREADS
    }

    /** One of a producer's tasks, which knows whether it may run. */
    private final class Numbered implements Runnable {
        final int producer;
        final long number;

        Numbered(int producer, long number) {
            this.producer = producer;
            this.number = number;
        }

        @Override
        public void run() {
            if (running.incrementAndGet() != 1) {
                violations.add("two tasks at the same time");
            }
            // Plain on purpose: tasks run one after the other.
            Long before = lastRun.put(producer, number);
            if (before != null && before >= number) {
                violations.add("task " + number + " ran after " + before);
            }
            ran.add(this);
            if (number % 30 == 29) {
                awaitNothing(); // the queue is handed over with all that is plain here
                return;
            }
            running.decrementAndGet();
            if (number % 50 == 49) {
                LockSupport.parkNanos(20_000);
            } else if (number % 70 == 69) {
                throw new IllegalStateException("thrown by a task on purpose");
            }
        }

        private void awaitNothing() {
            Reply<Void> reply = pool.newReply();
            running.decrementAndGet();
            try {
                reply.await(Duration.ofNanos(20_000));
                violations.add("a reply that nobody completes has come");
            } catch (TimeoutException | PoolStoppedException | NestingLimitException expected) {
                waits.incrementAndGet();
            } catch (ExecutionException failed) {
                violations.add(failed.toString());
            }
        }

        @Override
        public String toString() {
            return producer + "/" + number;
        }
    }

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final Map<Integer, Long> lastRun = new HashMap<>();
    private final List<Numbered> ran = new ArrayList<>();

    /** Tasks that had been accepted before the end began: unless it is an immediate one, they must run. */
    private final Set<Runnable> acceptedBeforeTheEnd = ConcurrentHashMap.newKeySet();

    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger waits = new AtomicInteger();
    private volatile LeaderFollowersPool pool;
    private volatile boolean ending;

    @ParameterizedTest
    @EnumSource(Ending.class)
    void everyTaskRunsOnceOrIsHandedBackOrWasRefused(Ending ending) throws Exception {
        Duration total =
                Duration.ofSeconds(Long.getLong("cabrank.soak.seconds", Long.getLong("cabrank.stress.seconds", 4)));
        long endNs =
                System.nanoTime() + total.dividedBy(4L * Ending.values().length).toNanos();
        Random random = new Random();
        do { // on a busy machine the time may be up before any task has waited
            Promotion promotion =
                    random.nextBoolean() ? Promotion.eager() : Promotion.deferred(Duration.ofNanos(20_000));
            PoolConfig config = PoolConfig.of("tasks", 1 + random.nextInt(3)).withPromotion(promotion);
            round(ending, config, random.nextInt(1_000_000));
        } while ((System.nanoTime() - endNs < 0 || waits.get() == 0) && violations.isEmpty());
        assertTrue(violations.isEmpty(), () -> String.join("\n", violations));
    }

    private void round(Ending how, PoolConfig config, int endAfterNs) throws Exception {
        running.set(0);
        lastRun.clear();
        ran.clear();
        acceptedBeforeTheEnd.clear();
        refused.set(0);
        ending = false;
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        pool = new LeaderFollowersPool(set, config);
        TaskQueue queue = new TaskQueue(set, "stress", CAPACITY);
        if (how != Ending.STOP_WITHOUT_THREADS) {
            pool.start();
        }
        List<List<Numbered>> accepted = new ArrayList<>();
        List<TestThread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int producer = i;
            List<Numbered> own = new ArrayList<>();
            accepted.add(own);
            producers.add(TestThread.start("producer-" + i, () -> produce(queue, producer, own)));
        }
        if (how == Ending.STOP_WITHOUT_THREADS) {
            pool.join(Duration.ofNanos(endAfterNs));
        } else {
            LockSupport.parkNanos(endAfterNs);
        }
        ending = true;
        end(how, queue);
        boolean closed = how == Ending.CLOSE || how == Ending.CLOSE_BY_A_TASK;
        List<Runnable> unrun = closed ? List.of() : unrunAtTermination(queue);
        for (TestThread producer : producers) {
            producer.join();
        }
        if (closed && !Await.until(Await.PATIENCE, queue::isClosed)) {
            violations.add("the queue is not closed, " + queue.size() + " tasks wait");
        }
        balance(queue, unrun, accepted, how != Ending.STOP_NOW && how != Ending.STOP_WITHOUT_THREADS);
        pool.close();
        set.close();
        if (!queue.unrun().equals(unrun)) {
            violations.add("unrun was " + unrun + " when the pool had terminated, and is " + queue.unrun());
        }
    }

    /** Read while producers still offer: what is accepted at this moment, or was before, is complete. */
    private List<Runnable> unrunAtTermination(TaskQueue queue) throws InterruptedException {
        if (!pool.awaitTermination(Await.PATIENCE)) {
            violations.add("the pool has not terminated");
        }
        return queue.unrun();
    }

    private void produce(TaskQueue queue, int producer, List<Numbered> accepted) {
        long number = 0;
        while (!queue.isClosed() && !pool.isStopping()) {
            Numbered task = new Numbered(producer, number++);
            if (queue.offer(task)) {
                accepted.add(task);
                if (!ending) {
                    acceptedBeforeTheEnd.add(task);
                }
            } else {
                refused.incrementAndGet();
                Thread.onSpinWait();
            }
        }
    }

    private void end(Ending how, TaskQueue queue) {
        switch (how) {
            case CLOSE -> queue.close();
            case CLOSE_BY_A_TASK -> {
                while (!queue.offer(queue::close)) {
                    refused.incrementAndGet();
                    Thread.onSpinWait();
                }
            }
            case STOP, STOP_WITHOUT_THREADS -> pool.stop();
            case STOP_NOW -> pool.stopNow();
        }
    }

    private void balance(TaskQueue queue, List<Runnable> unrun, List<List<Numbered>> accepted, boolean mustRunAll) {
        Set<Runnable> expected = new HashSet<>();
        accepted.forEach(expected::addAll);
        Set<Runnable> seen = new HashSet<>(ran);
        if (seen.size() != ran.size()) {
            violations.add("a task ran twice");
        }
        for (Runnable left : unrun) {
            if (!seen.add(left)) {
                violations.add(left + " was handed back, though it ran, or was handed back before");
            }
        }
        if (mustRunAll && unrun.stream().anyMatch(acceptedBeforeTheEnd::contains)) {
            violations.add("of the tasks " + unrun + " some had been accepted in time, and did not run");
        }
        if (!seen.equals(expected)) {
            Set<Runnable> lost = new HashSet<>(expected);
            lost.removeAll(seen);
            seen.removeAll(expected);
            violations.add("lost: " + lost + ", refused and seen nevertheless: " + seen);
        }
        TaskCounters counters = queue.counters();
        if (counters.refusedFull() + counters.refusedClosed() != refused.get()) {
            violations.add(counters + ", but " + refused + " were refused");
        }
        assertEquals(0, queue.size());
    }
}
