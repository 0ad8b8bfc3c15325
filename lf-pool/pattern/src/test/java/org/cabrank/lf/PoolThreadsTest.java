package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of a pool's threads: none is lost to a guest, to a logger or to a failed start without the pool's failure. */
@Timeout(60)
class PoolThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);

    private static ThreadFactory quiet(ThreadFactory factory) {
        return task -> {
            Thread thread = factory.newThread(task);
            thread.setUncaughtExceptionHandler((dead, failure) -> {});
            return thread;
        };
    }

    private static Set<String> names(LeaderFollowersPool pool) {
        Set<String> names = new TreeSet<>();
        pool.threads().forEach(thread -> names.add(thread.name()));
        return names;
    }

    private static void awaitNames(LeaderFollowersPool pool, Set<String> names) {
        assertTrue(
                Await.until(Await.PATIENCE, () -> names(pool).equals(names)), () -> names(pool) + " " + pool.failure());
    }

    private void failFatally() {
        failFatally(new InternalError("thrown by a handler on purpose"));
    }

    private void failFatally(InternalError fatal) {
        CountDownLatch thrown = new CountDownLatch(1);
        set.registerVirtual("fatal", (handle, ready) -> {
                    Thread.currentThread().setUncaughtExceptionHandler((dead, failure) -> {});
                    thrown.countDown();
                    throw fatal;
                })
                .post(Ready.POSTED);
        assertTrue(Await.until(Await.PATIENCE, () -> thrown.getCount() == 0));
    }

    @Test
    void crowdOfGuestsTakesNoPlaceOfThreadsThatDie() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 2));
        pool.start();
        List<Reply<Void>> replies = new ArrayList<>();
        List<Waiter> crowd = new ArrayList<>();
        for (int guest = 0; guest < 8; guest++) {
            Reply<Void> reply = pool.newReply();
            replies.add(reply);
            crowd.add(new Waiter("guest-" + guest, () -> reply.await(LONG)));
        }
        for (int death = 0; death < 20; death++) {
            failFatally();
        }
        awaitNames(pool, Set.of("own-0", "own-1"));
        replies.forEach(reply -> reply.complete(null));
        for (Waiter guest : crowd) {
            assertTrue(Await.until(Await.PATIENCE, guest::isOver));
            assertNull(guest.thrown());
        }
        awaitNames(pool, Set.of("own-0", "own-1"));
        assertNull(pool.failure());
        pool.close();
        set.close();
    }

    /** The successor waits already, and would take the requests along with its next wait only. */
    @Test
    void threadThatDiesSubmitsTheRequestsOfItsHandlers() {
        PoolConfig config = PoolConfig.of("own", 2).withPromotion(Promotion.eager());
        LeaderFollowersPool pool = new LeaderFollowersPool(set, config);
        pool.start();
        int before = set.submits();
        failFatally();
        assertTrue(Await.until(Await.PATIENCE, () -> set.submits() > before), "the requests were left behind");
        pool.close();
        set.close();
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

    @Test
    void loggerThatThrowsDoesNotPreventTheReplacement() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 1));
        pool.start();
        failFatally(new InternalError() {
            @Override
            public String toString() {
                throw new AssertionError("thrown under the logger on purpose");
            }
        });
        AtomicInteger runs = new AtomicInteger();
        set.registerVirtual("next", (handle, ready) -> runs.incrementAndGet()).post(Ready.POSTED);
        assertTrue(Await.until(Await.PATIENCE, () -> runs.get() == 1));
        awaitNames(pool, Set.of("own-0"));
        pool.close();
        set.close();
    }

    @Test
    void replacementThatCannotBeStartedFailsThePool() {
        OutOfMemoryError refused = new OutOfMemoryError("unable to create native thread");
        AtomicInteger made = new AtomicInteger();
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("own", 1).withThreadFactory(quiet(task -> {
                    if (made.incrementAndGet() > 1) {
                        throw refused;
                    }
                    return new Thread(task);
                })));
        pool.start();
        failFatally();
        assertTrue(Await.until(Await.PATIENCE, pool::isTerminated));
        assertSame(refused, pool.failure());
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
