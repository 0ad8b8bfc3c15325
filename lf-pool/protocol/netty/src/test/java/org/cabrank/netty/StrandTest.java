package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.BlockingOperationException;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of a strand as an event loop, without channels. */
class StrandTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    private final CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
            .daemon(true)
            .reactor(
                    reactor -> reactor.backend(Backend.named("epoll")).shards(2).threadsPerShard(3))
            .build();

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    private static <T> T value(Future<T> future) throws Exception {
        assertTrue(future.await(PATIENCE_MS));
        return future.get();
    }

    @Test
    void holderAloneIsInTheEventLoop() throws Exception {
        EventLoop loop = group.next();
        EventLoop other = group.next();
        assertFalse(loop.inEventLoop());
        assertTrue(value(loop.submit(() -> loop.inEventLoop())));
        assertFalse(value(loop.submit(() -> other.inEventLoop())));
        assertFalse(value(loop.submit(() -> loop.inEventLoop(new Thread(() -> {})))));
    }

    @Test
    void threadsMayBlockAndHaveFastThreadLocals() throws Exception {
        assertTrue(value(group.next()
                .submit(() -> Thread.currentThread() instanceof FastThreadLocalThread own
                        && own.permitBlockingCalls()
                        && FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals())));
    }

    /** Eight threads add numbered tasks; each has its order, and no two tasks run at once. */
    @Test
    void tasksExcludeEachOtherAndKeepTheOrderOfTheirSubmitter() throws Exception {
        int submitters = 8;
        int each = 20_000;
        EventLoop loop = group.next();
        int[] next = new int[submitters]; // by the holder of the strand, without a lock
        List<String> wrong = new ArrayList<>();
        int[] total = new int[1];
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < submitters; i++) {
            int submitter = i;
            threads.add(new Thread(() -> {
                for (int j = 0; j < each; j++) {
                    int number = j;
                    loop.execute(() -> {
                        if (inside.incrementAndGet() != 1 || next[submitter]++ != number) {
                            wrong.add(submitter + ": " + number);
                        }
                        inside.decrementAndGet();
                        if (++total[0] == submitters * each) {
                            done.countDown();
                        }
                    });
                }
            }));
        }
        threads.forEach(Thread::start);
        assertTrue(done.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals(List.of(), wrong);
    }

    @Test
    void executeNeverRunsInline() throws Exception {
        EventLoop loop = group.next();
        List<Integer> order = new ArrayList<>();
        value(loop.submit(() -> {
            loop.execute(() -> order.add(2));
            order.add(1);
        }));
        value(loop.submit(() -> order.add(3)));
        assertEquals(List.of(1, 2, 3), value(loop.submit(() -> List.copyOf(order))));
    }

    @Test
    void waitingInsideForAPromiseOfTheStrandIsRefused() throws Exception {
        EventLoop loop = group.next();
        Promise<Void> promise = loop.newPromise();
        value(loop.submit(() -> assertThrows(BlockingOperationException.class, promise::sync)));
    }

    @Test
    void blockedStrandDelaysNoOther() throws Exception {
        EventLoop blocked = group.next();
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> waits = blocked.submit(() -> release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        group.next(); // in the other shard
        EventLoop sameShard = group.next();
        assertEquals("served", value(sameShard.submit(() -> "served")));
        release.countDown();
        assertTrue(value(waits));
    }

    @Test
    void scheduledTasksRunInTheStrandOnceAndRepeatedly() throws Exception {
        EventLoop loop = group.next();
        assertTrue(value(loop.schedule(() -> loop.inEventLoop(), 1, TimeUnit.MILLISECONDS)));
        CountDownLatch three = new CountDownLatch(3);
        Future<?> repeated = loop.scheduleAtFixedRate(three::countDown, 0, 1, TimeUnit.MILLISECONDS);
        assertTrue(three.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertTrue(repeated.cancel(false));
        Promise<Boolean> fromInside = loop.newPromise();
        loop.execute(() -> loop.schedule(() -> fromInside.setSuccess(true), 1, TimeUnit.MILLISECONDS));
        assertTrue(value(fromInside));
    }

    @Test
    void taskThatThrowsLeavesTheStrandInOrder() throws Exception {
        EventLoop loop = group.next();
        loop.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertEquals(1, value(loop.submit(() -> 1)));
    }

    @Test
    void strandWithoutChannelsHasEndedWhenItsTasksHaveRun() throws Exception {
        EventLoop loop = group.next();
        value(loop.submit(() -> 1));
        assertTrue(loop.terminationFuture().await(PATIENCE_MS));
        assertEquals(2, value(loop.submit(() -> 2)), "the event loop takes tasks all the same");
    }

    @Test
    void tasksAreRejectedAfterTheEndOfTheGroup() {
        EventLoop loop = group.next();
        assertSame(group.terminationFuture(), group.shutdownGracefully(0, 10, TimeUnit.SECONDS));
        assertTrue(group.terminationFuture().awaitUninterruptibly(PATIENCE_MS));
        assertTrue(loop.isShutdown() && loop.isTerminated() && group.isTerminated());
        assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}));
    }

    /** Fills the stack, and gives the strand a task in the deepest frame that can. */
    private static int executeInTheDeepestFrame(EventLoop loop) {
        try {
            return 1 + executeInTheDeepestFrame(loop);
        } catch (Throwable full) {
            loop.execute(() -> {}); // fails until enough frames have returned
            return 1;
        }
    }

    /** The last frames have too little stack for the queue or for a post. */
    @Test
    void taskThatIsRefusedForLackOfStackKeepsNoOtherBack() throws Exception {
        for (int i = 0; i < 5; i++) {
            EventLoop loop = group.next();
            Thread deep = new Thread(null, () -> executeInTheDeepestFrame(loop), "deep", 256 << 10);
            deep.start();
            deep.join(PATIENCE_MS);
            int number = i;
            assertEquals(number, value(loop.submit(() -> number)));
        }
    }

    /** Netty logs what a task throws, and a logger may run out of memory. */
    @Test
    void strandServesItsTasksAfterALoggerHasThrown() throws Exception {
        EventLoop loop = group.next();
        Future<Boolean> scheduled = loop.schedule(() -> true, 300, TimeUnit.MILLISECONDS);
        loop.execute(() -> {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new OutOfMemoryError("on purpose");
                }
            };
        });
        assertEquals(1, value(loop.submit(() -> 1)));
        assertTrue(value(scheduled));
    }
}
