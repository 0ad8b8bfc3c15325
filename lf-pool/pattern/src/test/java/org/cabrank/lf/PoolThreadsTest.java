package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of a pool's threads: none is lost to a guest, to an error or to a failed start without the pool's failure. */
@Timeout(300)
class PoolThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(120);

    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);

    private static Set<String> names(LeaderFollowersPool pool) {
        Set<String> names = new TreeSet<>();
        pool.threads().forEach(thread -> names.add(thread.name()));
        return names;
    }

    private static void awaitNames(LeaderFollowersPool pool, Set<String> names) {
        assertTrue(
                Await.until(Await.PATIENCE, () -> names(pool).equals(names)), () -> names(pool) + " " + pool.failure());
    }

    @Test
    void startBesideAGuestStartsAllThreads() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 2));
        Reply<Void> reply = pool.newReply();
        Waiter guest = new Waiter("guest", () -> reply.await(LONG));
        awaitNames(pool, Set.of("guest"));
        pool.start();
        assertEquals(2, pool.threads().size(), "the guest keeps its place while it waits");
        reply.complete(null);
        assertTrue(Await.until(Await.PATIENCE, guest::isOver));
        awaitNames(pool, Set.of("own-0", "own-1"));
        pool.close();
        set.close();
    }

    @Test
    void poolThatStopsBesideAGuestTerminatesThoughAThreadHasNoPlaceYet() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 1));
        Reply<Void> reply = pool.newReply();
        Waiter guest = new Waiter("guest", () -> reply.await(LONG));
        awaitNames(pool, Set.of("guest"));
        pool.start();
        AtomicInteger runs = new AtomicInteger();
        set.registerVirtual("posted", (handle, ready) -> runs.incrementAndGet()).post(Ready.POSTED);
        pool.close();
        assertTrue(pool.isTerminated());
        assertEquals(1, runs.get());
        assertTrue(Await.until(Await.PATIENCE, guest::isOver));
        set.close();
    }

    /** The thread on its way holds a place, so the thread that leaves last is not last as long as that thread may still come. */
    @Test
    void postIsServedThoughThePoolStopsWhileAThreadIsOnItsWayThatNeverComes() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.growing("own").withThreadFactory(task -> {
                    if (made.incrementAndGet() > 2) {
                        asked.countDown();
                        Await.until("the thread is refused", () -> refused.getCount() == 0);
                        throw new IllegalStateException("refused on purpose");
                    }
                    return new Thread(task);
                }));
        pool.start();
        AtomicInteger runs = new AtomicInteger();
        Handle posted = set.registerVirtual("posted", (handle, ready) -> runs.incrementAndGet());
        CountDownLatch firstMayEnd = new CountDownLatch(1);
        CountDownLatch secondMayEnd = new CountDownLatch(1);
        set.registerVirtual("first", (handle, ready) -> {
                    pool.promoteNewLeader();
                    firstMayEnd.await();
                })
                .post(Ready.POSTED);
        AtomicReference<Thread> last = new AtomicReference<>();
        set.registerVirtual("second", (handle, ready) -> {
                    pool.promoteNewLeader();
                    secondMayEnd.await();
                    posted.post(Ready.POSTED);
                    last.set(Thread.currentThread());
                })
                .post(Ready.POSTED);
        asked.await();
        pool.stop();
        firstMayEnd.countDown();
        assertTrue(Await.until(Await.PATIENCE, () -> names(pool).size() == 1));
        secondMayEnd.countDown();
        Await.until(
                "the last thread leaves",
                () -> last.get() != null && (names(pool).isEmpty() || last.get().getState() == Thread.State.WAITING));
        refused.countDown();
        assertTrue(pool.awaitTermination(Await.PATIENCE));
        assertEquals(1, runs.get());
        set.close();
    }

    /** The regular leader waits for the guest, which waits for the thread on its way until that thread has its slot. */
    @Test
    void poolThatStopsBesideAGuestTerminatesThoughItsRegularLeaderIsStillOnItsWay() throws InterruptedException {
        MemoryHandleSet led = new MemoryHandleSet(Deactivation.CLAIM, new ConcurrentLinkedQueue<>(), true);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        LeaderFollowersPool pool =
                new LeaderFollowersPool(led, PoolConfig.of("own", 3).withThreadFactory(task -> {
                    asked.countDown();
                    Await.until("the factory may answer", () -> answered.getCount() == 0);
                    return new Thread(task);
                }));
        TestThread starting = TestThread.start("starting", pool::start);
        asked.await();
        Waiter guest = new Waiter("guest", () -> pool.join(LONG));
        awaitNames(pool, Set.of("guest"));
        pool.stop();
        Await.until("the guest leaves", () -> guest.thread.getState() == Thread.State.WAITING);
        answered.countDown();
        assertTrue(pool.awaitTermination(Await.PATIENCE));
        starting.join();
        led.close();
    }

    @Test
    void errorThatCannotBeLoggedCostsNoThread() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 1));
        pool.start();
        set.registerVirtual("fatal", (handle, ready) -> {
                    throw new InternalError() {
                        @Override
                        public String toString() {
                            throw new AssertionError("thrown under the logger on purpose");
                        }
                    };
                })
                .post(Ready.POSTED);
        AtomicInteger runs = new AtomicInteger();
        set.registerVirtual("next", (handle, ready) -> runs.incrementAndGet()).post(Ready.POSTED);
        assertTrue(Await.until(Await.PATIENCE, () -> runs.get() == 1));
        awaitNames(pool, Set.of("own-0"));
        pool.close();
        set.close();
    }

    @Test
    void failureIsHandedOnOnceAfterItIsVisibleAndWithoutALock() throws InterruptedException {
        List<Object> seen = new ArrayList<>();
        IllegalStateException refused = new IllegalStateException("refused on purpose");
        Thread[] caller = new Thread[1];
        LeaderFollowersPool pool = new LeaderFollowersPool(
                set,
                PoolConfig.of("own", 2)
                        .withOnThreadStart(number -> {
                            throw refused;
                        })
                        .withOnFailure((failed, cause) -> {
                            synchronized (seen) {
                                seen.add(cause);
                                seen.add(failed.failure());
                                seen.add(failed.isStopping());
                                seen.add(Thread.holdsLock(failed));
                                caller[0] = Thread.currentThread();
                            }
                            throw new InternalError("thrown by onFailure on purpose");
                        }));
        assertThrows(IllegalStateException.class, pool::start);
        assertTrue(pool.awaitTermination(Await.PATIENCE));
        synchronized (seen) {
            assertEquals(List.of(refused, refused, true, false), seen);
        }
        set.close();
    }

    @Test
    void threadsAreMadeByTheFactoryAndNamedByThePool() {
        ConcurrentLinkedQueue<Thread> made = new ConcurrentLinkedQueue<>();
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("own", 2).withThreadFactory(task -> {
                    Thread thread = new Thread(task, "named by the factory");
                    thread.setDaemon(true);
                    made.add(thread);
                    return thread;
                }));
        pool.start();
        assertEquals(Set.of("own-0", "own-1"), names(pool));
        assertEquals(2, made.size());
        assertTrue(made.stream().allMatch(Thread::isDaemon));
        pool.close();
        set.close();
    }

    private IllegalStateException startWith(ThreadFactory factory) {
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("own", 2).withThreadFactory(factory));
        IllegalStateException failure = assertThrows(IllegalStateException.class, pool::start);
        assertTrue(Await.until(Await.PATIENCE, pool::isTerminated));
        assertSame(failure.getCause(), pool.failure());
        set.close();
        return failure;
    }

    @Test
    void factoryThatReturnsNullFailsTheStart() {
        assertEquals(
                "pool own could not start: the thread factory returned null instead of a thread",
                startWith(task -> null).getMessage());
    }

    @Test
    void factoryThatStartsTheThreadFailsTheStart() {
        String message = startWith(task -> {
                    Thread thread = new Thread(task, "early");
                    thread.start();
                    return thread;
                })
                .getMessage();
        assertTrue(message.contains("returned a thread that was started already: early"), message);
    }

    @Test
    void factoryWhoseThreadDoesNotRunTheTaskFailsTheStart() {
        String message = startWith(task -> new Thread(() -> {})).getMessage();
        assertTrue(message.contains("ended without running its task: own-"), message);
    }
}
