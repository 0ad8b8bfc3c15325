package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.bound.BoundChannel;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.NumberedText;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handlers that call the pool where nearly no stack is left, at one depth after the other: what the pool cannot do there it
 * leaves undone as a whole.
 */
@Tag("newest") // on an older JDK in a soak only
@Timeout(300)
class DeepStackTest {
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;

    /** One with small frames, and one with larger ones. */
    private static final int ROUNDS = SOAK ? 5 : 2;

    private static final int OUTSIDE_ROUNDS = SOAK ? 3 : 2;

    private final PostOnlySet set = new PostOnlySet(() -> {});
    private LeaderFollowersPool pool;

    /** The factory gives little stack, so that it overflows soon. */
    private void pool(int threads, boolean eager) {
        Promotion promotion = eager ? Promotion.eager() : Promotion.deferred(Duration.ofMillis(1));
        pool = new LeaderFollowersPool(
                set,
                PoolConfig.of("own", threads)
                        .withPromotion(promotion)
                        .withThreadFactory(task -> new Thread(null, task, "own", 256 * 1024)));
        pool.start();
    }

    @AfterEach
    void close() {
        if (pool != null) {
            assertNull(pool.failure());
            pool.close();
        }
        set.close();
    }

    /** Overflows the stack, and does {@code call} at each depth on the way back. */
    private static int overflow(Runnable call, int padding) {
        try {
            return overflow(call, padding) + padding;
        } finally {
            call.run();
        }
    }

    private static int overflowWithLargerFrames(Runnable call, long a, long b, long c) {
        try {
            return overflowWithLargerFrames(call, a + b, b + c, c + a) + (int) (a ^ b ^ c);
        } finally {
            call.run();
        }
    }

    /** On the way back, {@code call} is made until it has succeeded a few times. */
    private void overflowInAHandler(int round, Runnable until) {
        AtomicInteger successes = new AtomicInteger();
        Runnable call = () -> {
            if (successes.get() < 3) {
                until.run();
                successes.incrementAndGet();
            }
        };
        set.registerVirtual("deep", (handle, ready) -> {
                    if (round % 2 == 0) {
                        overflow(call, round);
                    } else {
                        overflowWithLargerFrames(call, round, 1, 2);
                    }
                })
                .post(Ready.POSTED);
    }

    private void assertServes(String when) {
        AtomicInteger runs = new AtomicInteger();
        set.registerVirtual("next", (handle, ready) -> runs.incrementAndGet()).post(Ready.POSTED);
        assertTrue(Await.until(Await.PATIENCE, () -> runs.get() == 1), when);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void promotionWithoutStackLosesNoLeadership(boolean eager) {
        pool(3, eager);
        for (int round = 0; round < ROUNDS; round++) {
            overflowInAHandler(round, pool::promoteNewLeader);
            assertServes("round " + round);
            assertTrue(Await.until(Await.PATIENCE, () -> pool.threads().size() == 3));
        }
    }

    /** The timers of one set have a common heap; each call that breaks off might leave a gap in it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void timerThatIsSetWithoutStackLosesNoOther(int threads) {
        int others = 100;
        pool(threads, false);
        Timers timers = new Timers(set);
        for (int round = 0; round < ROUNDS; round++) {
            Handle moved = set.registerVirtual("moved", (handle, ready) -> {});
            AtomicInteger runs = new AtomicInteger();
            for (int i = 0; i < others; i++) {
                timers.after(Duration.ofMillis(300 + i % 7), timer -> runs.incrementAndGet());
            }
            long soonNs = set.nanoTime() + Duration.ofMillis(200).toNanos();
            overflowInAHandler(round, () -> {
                moved.scheduleTimer(soonNs + Duration.ofDays(1).toNanos());
                moved.scheduleTimer(soonNs);
            });
            assertTrue(Await.until(Await.PATIENCE, () -> runs.get() == others), "round " + round);
            moved.close();
        }
        assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void postWithoutStackIsMadeOrNot(int threads) {
        pool(threads, false);
        for (int round = 0; round < ROUNDS; round++) {
            AtomicInteger runs = new AtomicInteger();
            Handle other = set.registerVirtual("other", (handle, ready) -> runs.incrementAndGet());
            overflowInAHandler(round, () -> other.post(Ready.POSTED));
            String when = "round " + round;
            assertTrue(Await.until(Await.PATIENCE, () -> runs.get() > 0), when);
            int before = runs.get();
            assertTrue(
                    Await.until(Await.PATIENCE, () -> {
                        other.post(Ready.POSTED);
                        return runs.get() > before + 1;
                    }),
                    when);
        }
    }

    /** In a thread that takes no part in the pool, and whose failure nobody makes up for. */
    private static void overflowOutside(int round, Runnable until) {
        AtomicInteger successes = new AtomicInteger();
        Runnable call = () -> {
            if (successes.get() < 1) {
                until.run();
                successes.incrementAndGet();
            }
        };
        Runnable task = () -> {
            if (round % 2 == 0) {
                overflow(call, round);
            } else {
                overflowWithLargerFrames(call, round, 1, 2);
            }
        };
        Thread outsider = new Thread(null, task, "outsider", (256 + round % 32) * 1024L);
        outsider.setUncaughtExceptionHandler((thread, overflow) -> {}); // as intended
        outsider.start();
        assertTrue(Await.until(Await.PATIENCE, () -> !outsider.isAlive()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void postOfAnotherThreadWithoutStackIsMadeOrNot(int threads) {
        pool(threads, true);
        for (int round = 0; round < OUTSIDE_ROUNDS; round++) {
            String when = "round " + round;
            AtomicInteger runs = new AtomicInteger();
            Handle other = set.registerVirtual("other", (handle, ready) -> runs.incrementAndGet());
            overflowOutside(round, () -> other.post(Ready.POSTED));
            assertTrue(Await.until(Await.PATIENCE, () -> runs.get() > 0), when);
            int before = runs.get();
            other.post(Ready.POSTED);
            assertTrue(Await.until(Await.PATIENCE, () -> runs.get() > before), when);
            assertServes(when);
            other.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeWithoutStackIsMadeOrNot(int threads) {
        pool(threads, true);
        for (int round = 0; round < OUTSIDE_ROUNDS; round++) {
            Handle other = set.registerVirtual("other", (handle, ready) -> {});
            overflowOutside(round, other::close);
            assertTrue(Await.until(Await.PATIENCE, other::isClosed), "round " + round);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeWithACauseWithoutStackIsMadeOrNot(int threads) {
        pool(threads, true);
        for (int round = 0; round < ROUNDS; round++) {
            int frames = round;
            IOException cause = new IOException("on purpose");
            AtomicReference<Throwable> closedBecauseOf = new AtomicReference<>();
            Handle deep = set.registerVirtual("deep", new EventHandler() {
                @Override
                public void handleEvent(Handle handle, int ready) {
                    overflow(() -> handle.closeBecauseOf(cause), frames);
                }

                @Override
                public void handleClosed(Handle handle, Throwable why) {
                    closedBecauseOf.set(why);
                }
            });
            deep.post(Ready.POSTED);
            String when = "round " + round;
            assertTrue(Await.until(Await.PATIENCE, () -> closedBecauseOf.get() == cause), when);
            assertTrue(deep.isClosed(), when);
            assertServes(when);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void timerThatIsCancelledWithoutStackLeavesOrStays(int threads) {
        pool(threads, true);
        Timers timers = new Timers(set);
        for (int round = 0; round < OUTSIDE_ROUNDS; round++) {
            Timer timer = timers.after(Duration.ofDays(1), expired -> {});
            overflowOutside(round, timer::cancel);
            assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 0), "round " + round);
        }
    }

    /** A shared connection that takes no bytes. */
    private final class FullChannel implements BoundChannel {
        volatile boolean roomWanted;

        @Override
        public Handle register(LeaderFollowersPool by, EventHandler handler) {
            return set.registerVirtual("shared connection", handler);
        }

        @Override
        public int receive(ByteBuffer into) {
            return 0;
        }

        @Override
        public void send(ByteBuffer data) {}

        @Override
        public void wantRoom(boolean wanted) {
            roomWanted = wanted;
        }

        @Override
        public void close() {}
    }

    @Test
    void messageThatIsSentWithoutStackIsQueuedForTheLeaderOrNot() throws IOException {
        pool(1, false);
        for (int round = 0; round < OUTSIDE_ROUNDS; round++) {
            FullChannel full = new FullChannel();
            BoundThreadPool<Integer, String> bound =
                    BoundThreadPool.open(pool, full, new NumberedText(), BoundLimits.DEFAULT);
            overflowOutside(round, () -> {
                try {
                    bound.send(NumberedText.message(1, "?"));
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            });
            assertTrue(Await.until(Await.PATIENCE, () -> full.roomWanted), "round " + round);
            bound.close();
        }
    }

    /** An offer that throws after the task was accepted would have the caller run the task a second time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void taskThatIsOfferedWithoutStackIsAcceptedOrNot(int threads) {
        pool(threads, true);
        TaskQueue tasks = new TaskQueue(set, "tasks", 1 << 16);
        for (int round = 0; round < ROUNDS; round++) {
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger runs = new AtomicInteger();
            Runnable task = runs::incrementAndGet;
            overflowOutside(round, () -> {
                if (tasks.offer(task)) {
                    accepted.incrementAndGet();
                }
            });
            AtomicInteger last = new AtomicInteger();
            assertTrue(tasks.offer(last::incrementAndGet));
            String when = "round " + round;
            assertTrue(Await.until(Await.PATIENCE, () -> last.get() == 1), when);
            assertTrue(accepted.get() > 0, when);
            assertEquals(accepted.get(), runs.get(), when);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void taskWhoseWakeUpFailsWasAccepted(int failing) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        AtomicInteger wakeUps = new AtomicInteger();
        PostOnlySet broken = new PostOnlySet(() -> {
            if (Thread.currentThread().getName().startsWith("serving")) {
                waits.countDown();
            } else if (wakeUps.getAndIncrement() < failing) {
                throw new AssertionError("thrown by a wake-up on purpose");
            }
        });
        TaskQueue tasks = new TaskQueue(broken, "tasks", 4);
        try (LeaderFollowersPool serving = new LeaderFollowersPool(broken, PoolConfig.of("serving", 1))) {
            serving.start();
            waits.await();
            AtomicInteger runs = new AtomicInteger();
            assertTrue(tasks.offer(runs::incrementAndGet));
            broken.wakeup();
            assertTrue(Await.until(Await.PATIENCE, () -> runs.get() == 1));
            assertEquals(failing, broken.failures().count());
        }
        broken.close();
    }

    @Test
    void cancellationWithoutStackWakesTheWaiterOrIsMadeLater() {
        pool(1, false);
        for (int round = 0; round < ROUNDS; round++) {
            Reply<String> reply = pool.newReply();
            Waiter guest = new Waiter("guest", () -> reply.await(Duration.ofSeconds(120)));
            overflowInAHandler(round, reply::cancel);
            assertTrue(Await.until(Await.PATIENCE, guest::isOver), "round " + round);
            assertInstanceOf(CancellationException.class, guest.thrown());
        }
    }

    @Test
    void replyWithoutStackWakesItsWaiterOrIsMadeLater() {
        pool(1, false);
        for (int round = 0; round < ROUNDS; round++) {
            Reply<String> reply = pool.newReply();
            Waiter guest = new Waiter("guest", () -> reply.await(Duration.ofSeconds(120)));
            overflowInAHandler(round, () -> reply.complete("done"));
            assertTrue(Await.until(Await.PATIENCE, guest::isOver), "round " + round);
            assertEquals("done", guest.value());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nestedWaitWithoutStackLosesNoLeadership(boolean eager) {
        pool(3, eager);
        for (int round = 0; round < ROUNDS; round++) {
            overflowInAHandler(round, () -> {
                try {
                    pool.newReply().await(Duration.ZERO);
                } catch (Exception timedOut) {
                    // nobody completes it
                }
            });
            assertServes("round " + round);
            assertTrue(Await.until(Await.PATIENCE, () -> pool.threads().size() == 3));
        }
    }
}
