package org.cabrank.lf.bound;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.PoolStoppedException;
import org.cabrank.lf.Reply;

/** The reply (type {@code R}) to a request (named by a {@code K}) on a shared connection, until it arrives or is given up. */
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
     * Waits for the reply, taking part in the pool ({@link Reply#await}). Called once. A reply that arrives just when the time is up is
     * returned; a later reply is dropped, and counted as late.
     *
     * @throws ExecutionException if the connection broke, with the cause
     * @throws TimeoutException if the time is up; the reply is no longer expected
     * @throws PoolStoppedException if the pool stops first
     * @throws NestingLimitException if the caller is a handler on whose stack too many handlers wait already
     * @throws IllegalStateException if a thread waits, or has waited, for this reply already
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
