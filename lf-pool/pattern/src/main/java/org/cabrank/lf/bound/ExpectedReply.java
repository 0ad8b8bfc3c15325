package org.cabrank.lf.bound;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.PoolStoppedException;
import org.cabrank.lf.Reply;

/**
 * The reply to a request on a shared connection. It is expected until it arrives or is given up.
 *
 * @param <K> type of the name of the request
 * @param <R> type of the content of the reply
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

    /** Returns true if the reply has arrived or has failed. */
    public boolean isDone() {
        return reply.isDone();
    }

    /**
     * Waits for the reply, and takes part in the pool meanwhile ({@link Reply#await}). Called once. If the reply arrives just when the time
     * is up, it is returned. A later reply is dropped and counted as late.
     *
     * @throws ExecutionException if the connection broke, with the cause
     * @throws TimeoutException if the time is up. The reply is no longer expected
     * @throws PoolStoppedException if the pool stops before the reply arrives
     * @throws NestingLimitException if the caller is a handler, and too many handlers of its thread wait already
     * @throws IllegalStateException if this was called before
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
            return reply.await(Duration.ZERO); // the reply arrived at the last moment
        } finally {
            close();
        }
    }

    /** Gives the reply up, for instance because the request could not be sent. Without effect after the reply has arrived. */
    @Override
    public void close() {
        table.giveUp(this);
    }

    @Override
    public String toString() {
        return "reply to request " + id;
    }
}
