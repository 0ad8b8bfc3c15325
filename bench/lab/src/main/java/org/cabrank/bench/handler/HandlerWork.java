package org.cabrank.bench.handler;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;

/**
 * Simulated work of a handler before it answers: computing, and sometimes blocking. Every server of the bench uses this
 * class, so that all do the same work. Safe for use by any thread.
 *
 * @param slowPath the blocking part of slow requests, for handlers of connections; null: the handler's thread blocks
 * @param requests counter of requests; null: not counted
 */
public record HandlerWork(BusyWork busy, SlowChoice slow, SlowPath slowPath, RequestCounter requests) {

    /** Outcome of the work for one request. */
    public enum Outcome {
        FAST,
        /** The handler has blocked, and answers now. */
        SLOW,
        /** The request is slow: the handler calls {@link HandlerWork#handAway} instead of answering. */
        PUT_OFF
    }

    /** The way in which a handler blocks for a slow request. */
    @FunctionalInterface
    public interface SlowPath {
        /** Called in a callback of {@code connection}. Blocks, and then calls {@code answer}. */
        void block(Connection connection, SlowRequests slow, ConnectionContinuation<Object> answer) throws Exception;

        /** Promotes a new leader, and blocks the handler's thread. */
        static SlowPath promoting() {
            return (connection, slow, answer) -> {
                connection.promoteNewLeader();
                slow.block();
                answer.resume(connection, null);
            };
        }

        static SlowPath offloadedTo(Executor executor) {
            return (connection, slow, answer) -> {
                try {
                    connection.offload(
                            executor,
                            () -> {
                                slow.block();
                                return null;
                            },
                            answer);
                } catch (RejectedExecutionException full) {
                    slow.block();
                    answer.resume(connection, null);
                }
            };
        }
    }

    /** No work: the answer is sent at once. */
    public static final HandlerWork NONE = new HandlerWork(BusyWork.NONE, SlowRequests.NONE);

    public HandlerWork(BusyWork busy, SlowChoice slow) {
        this(busy, slow, null, null);
    }

    public HandlerWork(BusyWork busy, SlowChoice slow, SlowPath slowPath) {
        this(busy, slow, slowPath, null);
    }

    public HandlerWork countedBy(RequestCounter counter) {
        return new HandlerWork(busy, slow, slowPath, counter);
    }

    /**
     * Returns true if {@link #perform} may block. A handler does not know beforehand which of its requests is slow, so a server that must
     * not block the threads of its connections runs all handlers elsewhere.
     */
    public boolean mayBlock() {
        return slow.mayBlock();
    }

    /** Called once per request, before its answer, on a thread that may block. Returns true if the request was a slow one. */
    public boolean perform() {
        if (busy.steps() != 0) {
            busy.perform();
        }
        return slow.now().perhapsBlock();
    }

    /** Does {@link #perform} in a callback, once for each request of a connection. */
    public Outcome performOrPutOff() {
        if (requests != null) {
            requests.add();
        }
        if (slowPath == null) {
            return perform() ? Outcome.SLOW : Outcome.FAST;
        }
        if (busy.steps() != 0) {
            busy.perform();
        }
        return slow.now().drawsSlow() ? Outcome.PUT_OFF : Outcome.FAST;
    }

    /** Called in the same callback for a slow request. Blocks as configured, and then calls {@code answer}. */
    public void handAway(Connection connection, ConnectionContinuation<Object> answer) throws Exception {
        slowPath.block(connection, slow.now(), answer);
    }
}
