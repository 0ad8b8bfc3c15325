package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies that are cancelled, waits that outlast an interrupt, and replies as futures. */
@Timeout(300)
class ReplyCancellationTest {
    private static final Duration LONG = Duration.ofDays(1);

    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
    private LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("test", 2));

    @AfterEach
    void close() {
        pool.stopNow();
        assertTrue(Await.until(Await.PATIENCE, pool::isTerminated));
        set.close();
    }

    private static void awaitWaiting(Thread thread) {
        assertTrue(Await.until(Await.PATIENCE, () -> thread.getState() != Thread.State.RUNNABLE));
    }

    @Test
    void waiterOfACancelledReplyGetsACancellationException() throws Exception {
        Reply<String> reply = pool.newReply();
        TestThread waiter =
                TestThread.start("waiter", () -> assertThrows(CancellationException.class, () -> reply.await(LONG)));
        assertTrue(Await.until(Await.PATIENCE, () -> pool.threads().size() == 1));
        assertTrue(reply.cancel());
        waiter.join();
        assertTrue(reply.isCancelled());
        assertFalse(reply.complete("too late"));
        assertFalse(reply.cancel());
        assertThrows(CancellationException.class, () -> reply.await(Duration.ZERO));
    }

    @Test
    void replyThatIsDoneIsNotCancelled() throws Exception {
        Reply<String> reply = pool.newReply();
        reply.complete("value");
        assertFalse(reply.cancel());
        assertFalse(reply.isCancelled());
        assertEquals("value", reply.await(Duration.ZERO));
    }

    @Test
    void interruptDoesNotEndANestedWait() throws Exception {
        Reply<String> reply = pool.newReply();
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        CompletableFuture<Object> outcome = new CompletableFuture<>();
        Handle handle = set.registerVirtual("waits", (self, ready) -> {
            waiting.complete(Thread.currentThread());
            outcome.complete(reply.await(LONG));
        });
        pool.start();
        handle.post(Ready.POSTED);
        Thread thread = waiting.get();
        assertTrue(Await.until(Await.PATIENCE, () -> pool.counters().nestedWaits() == 1));
        awaitWaiting(thread);
        thread.interrupt();
        Semaphore served = new Semaphore(0);
        set.registerVirtual("served", (self, ready) -> served.release()).post(Ready.POSTED);
        assertTrue(served.tryAcquire(120, TimeUnit.SECONDS));
        assertFalse(outcome.isDone());
        reply.complete("value");
        assertEquals("value", outcome.get());
    }

    @Test
    void futureIsCompletedAsTheReplyIs() throws Exception {
        Reply<String> done = pool.newReply();
        CompletableFuture<String> before = done.toCompletableFuture();
        CompletableFuture<String> another = done.toCompletableFuture();
        assertTrue(another.cancel(false));
        assertFalse(before.isDone());
        done.complete("value");
        assertEquals("value", before.get());
        assertEquals("value", done.toCompletableFuture().get(), "asked for afterwards");

        IOException cause = new IOException("on purpose");
        Reply<String> failed = pool.newReply();
        CompletableFuture<String> failing = failed.toCompletableFuture();
        failed.fail(cause);
        assertSame(cause, assertThrows(ExecutionException.class, failing::get).getCause());

        Reply<String> cancelled = pool.newReply();
        CompletableFuture<String> vain = cancelled.toCompletableFuture();
        cancelled.cancel();
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> {
            try {
                vain.get();
            } catch (CancellationException direct) {
                throw new ExecutionException(direct);
            }
        });
        assertInstanceOf(CancellationException.class, thrown.getCause());

        Reply<Void> nothing = pool.newReply();
        nothing.complete(null);
        assertEquals(null, nothing.toCompletableFuture().get());
    }

    @Test
    void futureIsCompletedThoughTheWaiterCannotBeWoken() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean();
        PostOnlySet refusing = new PostOnlySet(() -> {
            if (refuses.get()) {
                throw new IllegalStateException("a wake-up fails on purpose");
            }
        });
        try (LeaderFollowersPool waited = new LeaderFollowersPool(refusing, PoolConfig.of("waited", 1))) {
            Reply<String> reply = waited.newReply();
            CompletableFuture<String> future = reply.toCompletableFuture();
            Waiter waiter = new Waiter("waiter", () -> reply.await(LONG));
            assertTrue(Await.until(Await.PATIENCE, () -> !waited.threads().isEmpty()));
            awaitWaiting(waiter.thread);
            refuses.set(true);
            assertThrows(IllegalStateException.class, () -> reply.complete("value"));
            refuses.set(false);
            assertEquals("value", future.getNow("not completed"));
            refusing.wakeup();
            assertTrue(Await.until(Await.PATIENCE, waiter::isOver));
            assertEquals("value", waiter.value());
        }
        refusing.close();
    }
}
