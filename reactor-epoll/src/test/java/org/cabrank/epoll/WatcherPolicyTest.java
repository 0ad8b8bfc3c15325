package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scheduling policies of the watcher, and of the threads of a growing pool. */
class WatcherPolicyTest {
    private static final String POOL = "seen";

    /** Of /proc/PID/task/TID/stat, counted from the state, which follows the name. */
    private static final int POLICY_FIELD = 38;

    private final Kernel kernel = TestKernel.any();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Set<String> blocked = ConcurrentHashMap.newKeySet();
    private final Set<Integer> ofHandlers = ConcurrentHashMap.newKeySet();
    private EpollHandleSet set;
    private LeaderFollowersPool pool;

    private void start(Kernel ofSet) throws IOException {
        set = new EpollHandleSet(ofSet, Deactivation.CLAIM);
        pool = new LeaderFollowersPool(
                set, PoolConfig.growing(POOL).withPromotion(Promotion.deferred(Duration.ofMillis(1))));
        pool.start();
    }

    @AfterEach
    void close() {
        end.countDown();
        pool.stop();
        Await.until("the pool has ended", pool::isTerminated);
        set.close();
        Await.until("the watcher has ended", () -> policiesOfWatchers().isEmpty());
    }

    /** One more handler blocks, and each of them has a thread. */
    private void blockOne() throws IOException {
        int before = blocked.size();
        int fd = Errno.check("eventfd", kernel.eventfd(1, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        set.register(fd, Ready.READ, (own, ready) -> {
            ofHandlers.add(kernel.schedGetscheduler(0));
            blocked.add(Thread.currentThread().getName());
            end.await();
        });
        Await.until("a handler blocks", () -> blocked.size() == before + 1);
    }

    private static List<Integer> policiesOfWatchers() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.flatMap(WatcherPolicyTest::policyOfWatcher).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Integer> policyOfWatcher(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String[] behindTheName = stat.substring(stat.lastIndexOf(") ") + 2).split(" ");
            return stat.contains("(" + POOL + "-watcher)")
                    ? Stream.of(Integer.valueOf(behindTheName[POLICY_FIELD]))
                    : Stream.empty();
        } catch (IOException ended) {
            return Stream.empty();
        }
    }

    /** A thread that the watcher starts has the name of the watcher for a moment. */
    private static void awaitPolicy(int policy) {
        Await.until("the watcher has its policy", () -> policiesOfWatchers().equals(List.of(policy)));
    }

    @Test
    void watcherDoesNotPreemptAndTheThreadsThatItStartsDo() throws Exception {
        start(kernel);
        for (int i = 0; i < 4; i++) { // two threads from the start, two from the watcher
            blockOne();
        }
        assertEquals(Set.of(Scheduling.SCHED_OTHER), ofHandlers);
        awaitPolicy(Scheduling.SCHED_BATCH);
    }

    @Test
    void kernelThatRefusesThePolicyIsServed() throws Exception {
        start(new ForwardingKernel(kernel) {
            @Override
            public int schedSetscheduler(int tid, int policy, long parameter) {
                return -Errno.EPERM;
            }
        });
        for (int i = 0; i < 4; i++) {
            blockOne();
        }
        awaitPolicy(Scheduling.SCHED_OTHER);
    }
}
