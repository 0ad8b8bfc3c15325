package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLongArray;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamSettings;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.contract.TestReactor;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.SuppliedHandlers;

/**
 * Streams over a shared ring, served by threads that join its pool for a time and then end: the kernel cancels what a thread
 * has asked for and left behind.
 */
final class PassingThreads implements AutoCloseable {
    static final int THREADS_MAX = 3;

    private static final int BACKLOG = 128;

    /** A thread looks so often whether it is to leave. */
    private static final Duration SPELL = Duration.ofMillis(1);

    private final AtomicLongArray submitted = new AtomicLongArray(256);
    private final StreamBackend backend;
    private final RingShard shard;
    private final LeaderFollowersPool pool;

    /** The oldest first. */
    private final Deque<Passer> present = new ArrayDeque<>();

    private int entered;

    private PassingThreads(StreamBackend backend, Promotion promotion) {
        this.backend = backend;
        this.shard = (RingShard) backend.shards().get(0);
        this.pool = new LeaderFollowersPool(
                shard.handleSet(), PoolConfig.of("passing", THREADS_MAX).withPromotion(promotion));
    }

    /** Opens rings before any thread serves. The test is skipped, with the reason, where io_uring is unavailable. */
    static PassingThreads open(Promotion promotion, RingOptions options, StreamLimits limits) throws IOException {
        StreamSettings settings = new StreamSettings(
                1, THREADS_MAX, Deactivation.CLAIM, limits, StreamTimeouts.DEFAULT, (shard, thread) -> {});
        FaultyRings rings = new FaultyRings(TestKernel.any());
        try {
            PassingThreads passing =
                    new PassingThreads(new IoUringBackendProvider(rings, options).open(settings), promotion);
            rings.showSubmissions(passing::count);
            return passing;
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    private void count(ByteBuffer submission) {
        submitted.incrementAndGet(Byte.toUnsignedInt(submission.get(IoUringSqe.OPCODE_OFFSET)));
    }

    /** Number of requests of this kind (IORING_OP_) that were submitted. */
    long submitted(int operation) {
        return submitted.get(operation);
    }

    RingHandleSet set() {
        return shard.handleSet();
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    long closedCount() {
        return shard.context().closedCount();
    }

    SocketAddress listen(ConnectionHandler handler) throws IOException {
        return backend.listen(
                        TestReactor.loopback(0),
                        ListenOptions.DEFAULT.withBacklog(BACKLOG),
                        new SuppliedHandlers(() -> handler))
                .address();
    }

    /** One more thread takes part. */
    void enter() {
        Passer passer = new Passer("passer-" + entered++);
        present.addLast(passer);
        passer.thread.start();
    }

    /** The thread that has taken part the longest leaves, because its time is up, and ends; the kernel knows it no more. */
    void leaveOldest() throws Exception {
        Passer passer = present.removeFirst();
        passer.leaves = true;
        passer.thread.join();
        passer.part.get(); // rethrows its exception
        Rings.awaitEndOfThread(passer.thread.getName());
    }

    private final class Passer {
        private final FutureTask<Void> part = new FutureTask<>(this::takePart, null);
        private final Thread thread;
        private volatile boolean leaves;

        Passer(String name) {
            thread = new Thread(part, name);
        }

        private void takePart() {
            boolean stopped = false;
            while (!leaves && !stopped) {
                stopped = pool.join(SPELL);
            }
        }
    }

    /** Waits until only listeners are left, and nothing of the connections that were there. */
    void awaitOnlyListeners(int listeners) {
        Await.until("the connections' slots are free", () -> set().table().live() == listeners);
        Await.until(
                "the kernel has all buffers",
                () -> shard.buffers().ring().free() == shard.buffers().ring().buffers());
        // A slot is free before the memory that it has used.
        Await.until("no chunk is in use", () -> shard.context().chunks().inUse() == 0);
        assertEquals(0, set().staleCompletions(), "completions of nobody");
    }

    /** Whatever the test did, nothing is left. */
    @Override
    public void close() {
        present.forEach(passer -> passer.leaves = true);
        for (Passer passer : present) {
            Await.until(passer.thread.getName() + " has left", () -> !passer.thread.isAlive());
        }
        new Thread(pool::join, "last").start();
        shard.drain();
        Await.until("all is drained", () -> shard.streamCount() == 0);
        pool.stop();
        Await.until("the last has left", pool::isTerminated);
        backend.close();
        assertEquals(0, shard.context().chunks().inUse(), "chunks in use");
    }
}
