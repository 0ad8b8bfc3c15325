package org.cabrank.lf.bound;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.PoolStoppedException;
import org.cabrank.lf.Reply;

/**
 * The reply to one request over a shared connection, from the moment it is expected until it is there or given up. However
 * that ends, nothing is left behind.
 *
 * @param <K> names the request
 * @param <R> type of the reply's content
 */
public final class ExpectedReply<K, R> implements AutoCloseable {
    final K id;
    final Reply<R> reply;
    private final ReplyTable<K, R> table;
    private final AtomicBoolean awaited = new AtomicBoolean();

    ExpectedReply(ReplyTable<K, R> table, K id, Reply<R> reply) {
        this.table = table;
        this.id = id;
        this.reply = reply;
    }

    public K id() {
        return id;
    }

    /** Returns true if {@link #await} would return, or throw the failure, at once. */
    public boolean isDone() {
        return reply.isDone();
    }

    /**
     * Waits for the reply, and takes part in the pool during the wait ({@link Reply#await}). Called once. A reply that comes at
     * the very moment when the time is up is returned; a later reply is dropped, and counted as late.
     *
     * @throws ExecutionException when the connection broke; its cause says why
     * @throws TimeoutException when the time is up; the reply is no longer expected
     * @throws PoolStoppedException when the pool stops first
     * @throws NestingLimitException when a handler waits, and too many waits stand on the thread's stack already
     * @throws IllegalStateException when it is, or was, waited for already
     */
    public R await(Duration timeout) throws ExecutionException, TimeoutException {
        if (!awaited.compareAndSet(false, true)) {
            throw new IllegalStateException("the reply to request " + id + " is, or was, waited for already");
        }
        try {
            return reply.await(timeout);
        } catch (TimeoutException timedOut) {
            if (table.giveUp(this)) {
                throw new TimeoutException("no reply to request " + id + " within " + timeout);
            }
            return reply.await(Duration.ZERO); // at the last moment
        } finally {
            close();
        }
    }

    /** The reply is no longer expected, for instance because the request could not be sent. Without effect when it is there. */
    @Override
    public void close() {
        table.giveUp(this);
    }

    @Override
    public String toString() {
        return "reply to request " + id;
    }
}
