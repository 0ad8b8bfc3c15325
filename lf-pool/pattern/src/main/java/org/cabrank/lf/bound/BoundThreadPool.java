package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Reply;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/**
 * Threads that share one multiplexed connection and each wait for their own reply (POSA2, Leader/Followers: bound handle/thread
 * associations). Any thread may call any method.
 *
 * <p>Each thread registers the reply it expects, sends its request, and waits. One of the waiting threads leads and reads the connection
 * for all threads. It passes each reply to the thread that waits for it and wakes only that thread (POSA2: specific promotion order). If
 * the leader gets its own reply, it leaves, and the next follower in the pool's {@link PromotionOrder} leads.
 * <pre>{@code
 * try (ExpectedReply<Integer, String> reply = bound.expectingResponse(id)) {
 *     bound.send(request);
 *     return reply.await(Duration.ofSeconds(1));
 * }
 * }</pre>
 * <p>The pool may serve other handles of its handle set as well. A handler of the pool may use the connection, too. Such a handler waits
 * nested ({@link Reply}), so the pool is client and server at the same time (hybrid associations).
 *
 * @param <K> type of the name of a request
 * @param <R> type of the content of a reply
 */
public final class BoundThreadPool<K, R> implements AutoCloseable {
    /** Number of past requests whose late or repeated replies are recognised. Replies to earlier requests count as unknown. */
    public static final int REMEMBERED_MAX = 4096;

    private final LeaderFollowersPool pool;
    private final ReplyTable<K, R> table;
    private final SharedOutput output;
    private final Handle handle;

    private BoundThreadPool(
            LeaderFollowersPool pool, BoundChannel channel, ReplyParser<K, R> parser, BoundLimits limits)
            throws IOException {
        this.pool = pool;
        this.table = new ReplyTable<>();
        this.output = new SharedOutput(channel, limits.sendQueueBytes());
        this.handle =
                channel.register(pool, new ReplyDispatcher<>(channel, parser, table, output, limits.messageBytes()));
    }

    /**
     * Lets threads share {@code channel} and wait in {@code pool}. The pool should have slots for all threads that may wait at the same
     * time. If the pool was not started, the waiting threads lead. The caller stops the pool.
     *
     * @throws IOException if the connection cannot be watched. In this case the channel has been closed
     * @throws IllegalArgumentException if {@code pool} does not serve the channel's handle set. In this case the channel has been closed
     * @throws IllegalStateException if the handle set is closed. In this case the channel has been closed
     */
    public static <K, R> BoundThreadPool<K, R> open(
            LeaderFollowersPool pool, BoundChannel channel, ReplyParser<K, R> parser, BoundLimits limits)
            throws IOException {
        return new BoundThreadPool<>(
                Objects.requireNonNull(pool, "pool"),
                Objects.requireNonNull(channel, "channel"),
                Objects.requireNonNull(parser, "parser"),
                Objects.requireNonNull(limits, "limits"));
    }

    /**
     * Registers the reply to the request that {@code context} names. Call this before the request is sent.
     *
     * @throws IllegalStateException if a reply to a request of this name is expected already
     * @throws IOException if the connection is broken, with the cause
     */
    public ExpectedReply<K, R> expectingResponse(K context) throws IOException {
        return table.expect(Objects.requireNonNull(context, "context"), pool.newReply());
    }

    /**
     * Sends the rest of {@code message} after all earlier messages, and consumes it. Bytes that the socket does not take are queued.
     *
     * @throws SendQueueFullException if too much is queued for a peer that does not read. In this case no byte was consumed
     * @throws IOException if the connection is broken or breaks now. In this case every waiter without a received reply fails
     * @throws OutOfMemoryError if there is no memory for the queue. If a part of the message was sent before, the connection is broken now.
     *     Otherwise no byte was sent or consumed
     */
    public void send(ByteBuffer message) throws IOException {
        StackRoom.require(); // an overflow below would leave bytes in the queue, of which no leader knows
        try {
            if (output.send(message)) {
                handle.post(Ready.POSTED); // the leader waits for room to send from now on
            }
        } catch (Throwable failed) {
            if (output.broken() != null) {
                handle.post(Ready.POSTED); // the leader delivers the received replies, and closes the connection
            }
            throw failed;
        }
    }

    /** Does {@link #expectingResponse}, {@link #send} and {@link ExpectedReply#await}. */
    public R call(K id, ByteBuffer request, Duration timeout) throws IOException, ExecutionException, TimeoutException {
        try (ExpectedReply<K, R> expected = expectingResponse(id)) {
            send(request);
            return expected.await(timeout);
        }
    }

    /** Returns the failure that broke the connection, or null. */
    public Throwable broken() {
        return output.broken();
    }

    /** Number of queued bytes that the socket has not taken yet. */
    public long queuedBytes() {
        return output.queuedBytes();
    }

    public LeaderFollowersPool pool() {
        return pool;
    }

    public BoundCounters counters() {
        return table.counters();
    }

    /** Closes the connection. Every waiter fails. The next thread that leads closes the descriptor. The pool continues. */
    @Override
    public void close() {
        StackRoom.require(); // an overflow below would leave a waiter asleep whose reply has failed
        IOException closed = new IOException("the connection was closed");
        output.breakOff(closed);
        table.breakOff(closed);
        handle.close();
    }

    @Override
    public String toString() {
        return "bound " + pool + " on " + handle;
    }
}
