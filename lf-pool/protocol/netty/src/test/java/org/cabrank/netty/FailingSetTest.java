package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A strand over a set of handles that watches no descriptors and that fails in the middle of a call. */
class FailingSetTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    private static final class FailingSet extends DescriptorSet {
        private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        private final Semaphore wakeUps = new Semaphore(0);

        /** True if the next reading of the clock by a strand fails. */
        volatile boolean failsClock;

        /** True if each handle is closed at its registration, as by a kernel that refuses to watch. */
        volatile boolean closesHandles;

        /** True while the leader sleeps. */
        volatile boolean awaited;

        /** Called by the thread that has woken the leader. */
        volatile Runnable afterWakeUp = () -> {};

        FailingSet() {
            super(ChannelSocket.KERNEL, Deactivation.CLAIM);
        }

        @Override
        public long nanoTime() {
            if (failsClock && CALLERS.getCallerClass() == Strand.class) {
                failsClock = false;
                throw new OutOfMemoryError("on purpose");
            }
            return super.nanoTime();
        }

        @Override
        protected DescriptorHandle newHandle(
                int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) {
            return new DescriptorHandle(this, fd, interest, handler, owner, concurrent) {};
        }

        @Override
        protected void watch(DescriptorHandle handle) {
            if (closesHandles) {
                handle.close(); // takes effect when the handle is activated
            }
        }

        @Override
        protected void unwatch(DescriptorHandle handle) {}

        @Override
        protected void interestSet(DescriptorHandle handle) {}

        @Override
        protected void rearm(Handle handle) {}

        @Override
        protected void closeDescriptor(Handle handle) {}

        @Override
        protected void interruptAwait() {
            wakeUps.release();
            afterWakeUp.run();
        }

        @Override
        protected Harvest newHarvest() {
            return new Harvest() {
                @Override
                protected int await(long timeoutNs) {
                    awaited = timeoutNs > 0;
                    try {
                        if (wakeUps.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                            wakeUps.drainPermits();
                        }
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                    awaited = false;
                    return 0;
                }

                @Override
                protected Handle next() {
                    return null;
                }

                @Override
                protected int ready() {
                    throw new AssertionError("no events");
                }
            };
        }
    }

    private final CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
            .daemon(true)
            .reactor(
                    reactor -> reactor.backend(Backend.named("epoll")).shards(1).threadsPerShard(1))
            .build();
    private final FailingSet set = new FailingSet();
    private final LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("failing", 1));
    private final Strand strand =
            new Strand(group, set, group.reactor().shards().get(0).context());

    @BeforeEach
    void start() {
        pool.start();
    }

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        pool.close();
        set.close();
    }

    /** The failure closes the channel whose event was processed, but the strand has other work. */
    @Test
    void scheduledTaskRunsAfterAFailureToSetTheTimer() throws Exception {
        CabrankDatagramChannel channel = new CabrankDatagramChannel();
        assertTrue(strand.register(channel).await(PATIENCE_MS));
        Await.until("the leader waits", () -> set.awaited); // so that the channel's handle is posted to
        set.failsClock = true;
        Future<String> scheduled = strand.submit(() -> strand.schedule(() -> "served", 1, TimeUnit.MILLISECONDS))
                .get();
        assertTrue(scheduled.await(PATIENCE_MS));
        assertEquals("served", scheduled.get());
        assertTrue(channel.closeFuture().await(PATIENCE_MS));
    }

    /** The registration, by a thread outside, returns after the pool has closed the handle. */
    @Test
    void taskRunsAfterAHandleWasClosedDuringItsRegistration() throws Exception {
        CabrankDatagramChannel channel = new CabrankDatagramChannel();
        Await.until("the leader waits", () -> set.awaited);
        set.closesHandles = true;
        set.afterWakeUp = () -> Await.until("the channel is closed", () -> !channel.isOpen());
        channel.events.watch(strand);
        Future<String> task = strand.submit(() -> "served");
        assertTrue(task.await(PATIENCE_MS));
        assertEquals("served", task.get());
    }
}
