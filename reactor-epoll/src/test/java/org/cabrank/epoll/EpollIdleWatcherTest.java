package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Ready;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The idle watcher of a pool over epoll: {@code IdleWatcherTest} has its rules. */
@Timeout(60)
class EpollIdleWatcherTest {
    private static final String POOL = "pinned";
    private static final int MASK_BYTES = 1024;
    private static final int STATE_FIELD = 3;
    private static final int POLICY_FIELD = 41;

    private final Kernel kernel = TestKernel.any();
    private final ByteBuffer mask = ByteBuffer.allocateDirect(MASK_BYTES).order(ByteOrder.nativeOrder());
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger sightings = new AtomicInteger();

    /** Counts the waits of the watcher that found events. */
    private final Kernel counting = new ForwardingKernel(kernel) {
        @Override
        public int ppoll(long descriptors, int count, long timeout) {
            int result = next().ppoll(descriptors, count, timeout);
            sightings.addAndGet(result > 0 ? 1 : 0);
            return result;
        }
    };

    /** A pool whose second thread has taken over from the first, which follows again. */
    private final class Alerted implements AutoCloseable {
        final EpollHandleSet set;
        final LeaderFollowersPool pool;

        Alerted(Kernel ofSet, boolean pinned) throws Exception {
            set = new EpollHandleSet(ofSet, Deactivation.CLAIM);
            pool = new LeaderFollowersPool(
                    set,
                    PoolConfig.of(POOL, 4)
                            .withPromotion(Promotion.deferred(Duration.ofSeconds(1)))
                            .withOnThreadStart(number -> {
                                if (pinned) {
                                    pinToFirstCpu();
                                }
                            }));
            pool.start();
            CountDownLatch first = new CountDownLatch(1);
            block(first);
            Await.until("a takeover", () -> pool.counters().takeovers() == 1);
            first.countDown();
        }

        /** The leader is blocked, until {@code until}. */
        void block(CountDownLatch until) throws Exception {
            CountDownLatch entered = new CountDownLatch(1);
            signalled((own, ready) -> {
                entered.countDown();
                until.await();
            });
            entered.await();
        }

        void signalled(EventHandler handler) throws IOException {
            int fd = Errno.check("eventfd", kernel.eventfd(1, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
            set.register(fd, Ready.READ, handler);
        }

        void serveAnother() throws Exception {
            CountDownLatch served = new CountDownLatch(1);
            signalled((own, ready) -> served.countDown());
            served.await();
        }

        @Override
        public void close() {
            end.countDown();
            pool.stop();
            Await.until("the pool has ended", pool::isTerminated);
            set.close();
        }
    }

    private synchronized void pinToFirstCpu() {
        assertTrue(kernel.schedGetaffinity(0, MASK_BYTES, kernel.addressOf(mask)) >= 0);
        boolean found = false;
        for (int word = 0; word < MASK_BYTES; word += Long.BYTES) {
            mask.putLong(word, found ? 0 : Long.lowestOneBit(mask.getLong(word)));
            found |= mask.getLong(word) != 0;
        }
        assertEquals(0, kernel.schedSetaffinity(0, MASK_BYTES, kernel.addressOf(mask)));
    }

    /** Scheduling policies of the watchers that there are. */
    private static List<Integer> policies() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.flatMap(EpollIdleWatcherTest::policyOfWatcher).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Integer> policyOfWatcher(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String[] behindTheName = stat.substring(stat.lastIndexOf(") ") + 2).split(" ");
            return stat.contains("(" + POOL + "-idle)")
                    ? Stream.of(Integer.valueOf(behindTheName[POLICY_FIELD - STATE_FIELD]))
                    : Stream.empty();
        } catch (IOException ended) {
            return Stream.empty();
        }
    }

    @Test
    void poolThatIsPinnedToOneCpuHasAWatcherOfTheLowestPriorityAfterATakeover() throws Exception {
        try (Alerted pinned = new Alerted(counting, true)) {
            Await.until("the watcher has its priority", () -> policies().equals(List.of(Scheduling.SCHED_IDLE)));
            // The standby's look by timer comes before the watcher where other programs have the CPU.
            Await.until("the watcher saw that an event was not harvested", () -> isSightedBehindABlockedLeader(pinned));
            assertTrue(pinned.pool.counters().takeovers() >= 2);
        }
        Await.until("the watcher has ended", () -> policies().isEmpty());
    }

    private boolean isSightedBehindABlockedLeader(Alerted pinned) {
        CountDownLatch until = new CountDownLatch(1);
        try {
            pinned.block(until);
            int before = sightings.get();
            pinned.serveAnother();
            return sightings.get() > before;
        } catch (Exception failed) {
            throw new AssertionError(failed);
        } finally {
            until.countDown();
        }
    }

    @Test
    void poolWhoseThreadsRunOnSeveralCpusHasNone() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "there is one CPU");
        try (Alerted several = new Alerted(kernel, false)) {
            several.block(end);
            several.serveAnother();
            assertEquals(List.of(), policies());
        }
    }

    @Test
    void kernelThatRefusesTheLowestPriorityLeavesTheStandby() throws Exception {
        Kernel refusing = new ForwardingKernel(kernel) {
            @Override
            public int schedSetscheduler(int tid, int policy, long parameter) {
                return -Errno.EPERM;
            }
        };
        try (LogCapture log = new LogCapture(EpollHandleSet.class);
                Alerted pinned = new Alerted(refusing, true)) {
            Await.until("the refusal is logged", () -> log.warnings().size() == 1);
            pinned.block(end);
            pinned.serveAnother();
            String warning = log.warnings().get(0);
            assertTrue(warning.startsWith(POOL + "-idle ends; the standby looks at the leader by timer only"), warning);
            Await.until("the thread has ended", () -> policies().isEmpty());
        }
    }
}
