package org.cabrank.httpserver;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cabrank.http.HttpExchange;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.PoolStoppedException;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;

/**
 * Waits of handlers for their clients. A thread of an executor is parked. A thread of the server is parked after it has given up its
 * connection and leadership. If all other threads of its shard are parked, it serves other connections during its wait. Invariant: at least
 * one thread of a shard is not parked here, so a client that stalls holds at most a thread, and never a shard.
 */
final class LeaderWaits {
    private static final Duration FOREVER = Duration.ofDays(366);

    /** If this many waits are on serving threads, the shard gets time to add a thread before the next such wait begins. */
    private static final int SERVING_BEFORE_GROWTH = PoolConfig.NESTING_MAX_DEFAULT - 1;

    /** Longest wait for growth. A thread starts within milliseconds, or tens of milliseconds if processors are scarce. */
    private static final long GROWTH_MAX_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long GROWTH_LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final AtomicIntegerArray parkedNow;

    /** Number of waits in which a thread serves other connections, by shard. */
    private final AtomicIntegerArray servingNow;

    private final LongAdder parked = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final LongAdder refused = new LongAdder();

    LeaderWaits(int shards) {
        parkedNow = new AtomicIntegerArray(shards);
        servingNow = new AtomicIntegerArray(shards);
    }

    long parked() {
        return parked.sum();
    }

    long served() {
        return served.sum();
    }

    long refused() {
        return refused.sum();
    }

    /**
     * Returns true if a handler may be called although its client may stall. Even if the handler parks its thread, at least one thread, and
     * half of the threads that the shard may have, must stay free. A shard of one thread takes one such handler at a time.
     */
    boolean hasRoom(Connection connection) {
        int shard = connection.shard();
        LeaderFollowersPool pool = LeaderThread.poolOf(connection);
        int threads = pool.config().threads();
        return threads == 1
                ? servingNow.get(shard) == 0
                : parkedNow.get(shard) < Math.min(parkedMax(pool), threads / 2);
    }

    /** Returns when the condition holds. Throws IOException if the thread is interrupted or may not wait, or if the server stops. */
    void await(HttpExchange exchange, ExchangeWait wait, BooleanSupplier condition) throws IOException {
        if (wait.holds(condition)) {
            return;
        }
        if (!(Thread.currentThread() instanceof LeaderThread own) || !own.belongsTo(this)) {
            wait.park(condition);
            return;
        }
        int shard = own.shard(); // the client may belong to another shard
        if (takePlace(shard, parkedMax(own.pool())) || takeAddedPlace(shard, own.pool())) {
            try {
                parked.increment();
                letGo(exchange, own);
                wait.park(condition);
            } finally {
                parkedNow.decrementAndGet(shard);
            }
        } else {
            served.increment();
            servingNow.incrementAndGet(shard);
            try {
                serve(exchange, own, wait, condition);
            } finally {
                servingNow.decrementAndGet(shard);
            }
        }
    }

    /** Returns the number of present threads minus one. A growing shard adds a thread for each parked thread if it can. */
    private static int parkedMax(LeaderFollowersPool pool) {
        int threads =
                pool.config().grows() ? pool.threads().size() : pool.config().threads();
        return threads - 1;
    }

    private boolean takePlace(int shard, int parkedMax) {
        int now = parkedNow.get(shard);
        while (now < parkedMax) {
            if (parkedNow.compareAndSet(shard, now, now + 1)) {
                return true;
            }
            now = parkedNow.get(shard);
        }
        return false;
    }

    /** If too many threads serve, waits for a thread that the shard adds. Returns true if a place for a parked wait was taken. */
    private boolean takeAddedPlace(int shard, LeaderFollowersPool pool) {
        if (servingNow.get(shard) < SERVING_BEFORE_GROWTH) {
            return false;
        }
        long begunNs = System.nanoTime();
        boolean taken = false;
        while (!taken
                && pool.threads().size() < pool.config().threads()
                && System.nanoTime() - begunNs < GROWTH_MAX_NS) {
            LockSupport.parkNanos(GROWTH_LOOK_NS);
            taken = takePlace(shard, parkedMax(pool));
        }
        return taken;
    }

    private void letGo(HttpExchange exchange, LeaderThread own) throws IOException {
        Connection connection = exchange.connection();
        if (connection.isInCallback()) {
            try {
                exchange.letGo();
            } catch (NestingLimitException tooDeep) {
                throw refusal(exchange, tooDeep);
            } catch (PoolStoppedException stopped) {
                throw new IOException("the server was stopped", stopped);
            }
        } else { // the claim was released before, or this is a callback of another connection
            own.pool().promoteNewLeader();
        }
    }

    private void serve(HttpExchange exchange, LeaderThread own, ExchangeWait wait, BooleanSupplier condition)
            throws IOException {
        for (; ; ) {
            Reply<Void> reply = own.pool().newReply();
            if (!wait.announce(reply, condition)) {
                return;
            }
            try {
                reply.await(FOREVER);
            } catch (NestingLimitException tooDeep) {
                throw refusal(exchange, tooDeep);
            } catch (PoolStoppedException stopped) {
                throw new IOException("the server was stopped", stopped);
            } catch (ExecutionException | TimeoutException impossible) {
                throw new IllegalStateException("a wait of a year, or for null, has failed", impossible);
            }
        }
    }

    private IOException refusal(HttpExchange exchange, NestingLimitException tooDeep) {
        refused.increment();
        exchange.abort();
        return new IOException(
                "too many handlers wait for their clients on the threads of the server: set an executor, or more threads by"
                        + " the system property cabrank.httpserver.threads",
                tooDeep);
    }
}
