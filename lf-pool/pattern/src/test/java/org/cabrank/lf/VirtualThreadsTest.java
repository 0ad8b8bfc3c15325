package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads take no part in a pool, and learn the reason. */
@Timeout(300)
class VirtualThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(120);

    private final ThreadFactory virtual = OffloadExecutors.virtualThreads("virtual");
    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
    private final LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("own", 2));

    @BeforeEach
    void requireVirtualThreads() {
        assumeTrue(virtual != null);
    }

    @AfterEach
    void close() {
        pool.close();
        set.close();
    }

    private <T> CompletableFuture<T> start(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        virtual.newThread(() -> {
                    try {
                        result.complete(task.get());
                    } catch (Throwable thrown) {
                        result.completeExceptionally(thrown);
                    }
                })
                .start();
        return result;
    }

    private IllegalStateException refused(Runnable call) {
        return start(() -> assertThrows(IllegalStateException.class, call::run)).join();
    }

    private void assertRefused(Runnable call) {
        assertTrue(refused(call).getMessage().contains("virtual-0 is a virtual thread and cannot take part in"));
        assertEquals(0, pool.threads().size());
    }

    @Test
    void joinIsRefused() {
        assertRefused(pool::join);
    }

    @Test
    void joinWithATimeoutIsRefused() {
        assertRefused(() -> pool.join(LONG));
    }

    @Test
    void replyOfAPoolWithoutThreadsIsRefused() {
        Reply<String> reply = pool.newReply();
        assertRefused(() -> await(reply));
    }

    private static <T> T await(Reply<T> reply) {
        try {
            return reply.await(LONG);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void waitingThreadSleepsUntilItsReplyIsThere() {
        pool.start();
        Reply<String> reply = pool.newReply();
        CompletableFuture<String> answer = start(() -> await(reply));
        set.registerVirtual("answers", (handle, ready) -> reply.complete("value"))
                .post(Ready.POSTED);
        assertEquals("value", answer.join());
        assertEquals(2, pool.threads().size());
    }

    @Test
    void factoryOfVirtualThreadsFailsTheStart() {
        MemoryHandleSet other = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool refused =
                new LeaderFollowersPool(other, PoolConfig.of("refused", 1).withThreadFactory(virtual));
        IllegalStateException failure = assertThrows(IllegalStateException.class, refused::start);
        assertTrue(failure.getMessage().contains("the thread factory returned a virtual thread"), failure::getMessage);
        assertTrue(Await.until(Await.PATIENCE, refused::isTerminated));
        other.close();
    }
}
