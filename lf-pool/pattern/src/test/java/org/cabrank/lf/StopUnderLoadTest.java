package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.TaskCounters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A pool that is stopped while tasks, timers and guests come, handlers wait, promote, fail and run out of stack, and a comparator
 * decides who leads. It ends, every task has one outcome, every handle is closed once, and every guest leaves.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class StopUnderLoadTest {
    private static final int ROUNDS = 12;
    private static final int GUESTS = 4;
    private static final int HANDLES = 8;

    enum Ending {
        STOP,
        STOP_NOW,
        CLOSE
    }

    enum Policy {
        EAGER(Promotion.eager()),
        DEFERRED(Promotion.deferred(Duration.ofNanos(50_000)));

        private final Promotion promotion;

        Policy(Promotion promotion) {
            this.promotion = promotion;
        }
    }

    private final Random random = new Random();

    /** Throws now and then: arrival decides then. */
    private final AtomicInteger comparisons = new AtomicInteger();

    private final Comparator<Thread> comparator = (one, other) -> {
        if (comparisons.incrementAndGet() % 64 == 0) {
            throw new StackOverflowError("thrown by a comparator on purpose");
        }
        return one.getName().compareTo(other.getName());
    };

    @ParameterizedTest
    @EnumSource(Policy.class)
    void poolEndsAndNothingIsLeftBehind(Policy policy) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            new Round(policy.promotion, Ending.values()[round % Ending.values().length], 1 + round % 3).run();
        }
    }

    private final class Round {
        private final Ending ending;
        private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        private final LeaderFollowersPool pool;
        private final TaskQueue tasks;
        private final AtomicLong tasksRun = new AtomicLong();
        private final AtomicLong timerCalls = new AtomicLong();
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        Round(Promotion promotion, Ending ending, int threads) {
            this.ending = ending;
            pool = new LeaderFollowersPool(
                    set,
                    PoolConfig.of("load", threads)
                            .withPromotion(promotion)
                            .withOrder(PromotionOrder.priority(comparator)));
            tasks = new TaskQueue(set, "tasks", 64);
        }

        void run() throws InterruptedException {
            pool.start();
            List<Timer> timers = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                timers.add(new Timers(set).every(Duration.ofNanos(i * 50_000L), timer -> timerCalls.incrementAndGet()));
            }
            List<Handle> handles = new ArrayList<>();
            for (int i = 0; i < HANDLES; i++) {
                handles.add(register(i));
            }
            List<Thread> load = new ArrayList<>();
            for (int i = 0; i < GUESTS; i++) {
                load.add(new Thread(this::visit, "guest-" + i));
            }
            load.add(new Thread(() -> produce(handles), "producer"));
            load.forEach(Thread::start);
            LockSupport.parkNanos(random.nextInt(20_000_000));
            switch (ending) {
                case STOP -> pool.stop();
                case STOP_NOW -> pool.stopNow();
                case CLOSE -> pool.close();
            }
            assertTrue(pool.awaitTermination(Await.PATIENCE), () -> ending + ": " + pool.threads());
            long callsAtTheEnd = timerCalls.get();
            for (Thread thread : load) {
                thread.join(Await.PATIENCE.toMillis());
                assertTrue(!thread.isAlive(), thread.getName());
            }
            set.close();
            assertNull(pool.failure());
            assertEquals(List.of(), pool.threads());
            assertEquals(callsAtTheEnd, timerCalls.get());
            assertTrue(timers.stream().noneMatch(Timer::isActive));
            assertEquals(opened.get(), closed.get(), "every handle was closed once");
            TaskCounters counters = tasks.counters();
            assertEquals(tasksRun.get(), counters.run());
            assertEquals(0, counters.waiting());
        }

        private Handle register(int kind) {
            opened.incrementAndGet();
            return set.registerVirtual("handle-" + kind, new EventHandler() {
                @Override
                public void handleEvent(Handle handle, int ready) throws Exception {
                    switch (kind % 5) {
                        case 0 -> pool.promoteNewLeader();
                        case 1 -> LockSupport.parkNanos(100_000);
                        case 2 -> Thread.currentThread().interrupt();
                        case 3 -> awaitNothing(pool.newReply());
                        default -> {
                            if (random.nextInt(10) == 0) {
                                throw new StackOverflowError("thrown by a handler on purpose");
                            }
                        }
                    }
                }

                @Override
                public void handleClosed(Handle handle, Throwable cause) {
                    closed.incrementAndGet();
                }
            });
        }

        private void awaitNothing(Reply<Void> reply) throws Exception {
            try {
                reply.await(Duration.ofNanos(50_000));
            } catch (TimeoutException | PoolStoppedException | NestingLimitException expected) {
                // nobody completes it
            }
        }

        private void visit() {
            while (!pool.isStopping()) {
                try {
                    awaitNothing(pool.newReply());
                } catch (Exception unexpected) {
                    throw new AssertionError(unexpected);
                }
            }
        }

        private void produce(List<Handle> handles) {
            for (int i = 0; !pool.isStopping(); i++) {
                handles.get(i % HANDLES).post(Ready.POSTED);
                tasks.offer(tasksRun::incrementAndGet);
                if (i % 16 == 0) {
                    LockSupport.parkNanos(10_000);
                }
            }
        }
    }
}
