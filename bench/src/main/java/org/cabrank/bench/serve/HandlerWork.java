package org.cabrank.bench.serve;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;

/**
 * Simulated work of a handler before it answers: computing, and sometimes blocking. Every server of the bench uses this
 * class, so that all do the same work. Safe for use by any thread.
 *
 * @param slowOn executor for the blocking part, for handlers that can offload it; null: the handler's own thread blocks
 * @param requests counter of requests; null: not counted
 */
public record HandlerWork(BusyWork busy, SlowRequests slow, Executor slowOn, RequestCounter requests) {

    /** Nothing: the answer is sent at once. */
    public static final HandlerWork NONE = new HandlerWork(BusyWork.NONE, SlowRequests.NONE);

    /** Blocks where the handler runs. */
    public HandlerWork(BusyWork busy, SlowRequests slow) {
        this(busy, slow, null, null);
    }

    /** Without counting. */
    public HandlerWork(BusyWork busy, SlowRequests slow, Executor slowOn) {
        this(busy, slow, slowOn, null);
    }

    /** Returns a copy that counts its requests. */
    public HandlerWork countedBy(RequestCounter counter) {
        return new HandlerWork(busy, slow, slowOn, counter);
    }

    /** Called once per request, before its answer. */
    public void perform() {
        if (busy.steps() != 0) {
            busy.perform();
        }
        slow.perhapsBlock();
    }

    /**
     * Called once per request of a connection, in a callback, as {@link #perform}; false: the request is slow, and is to be
     * handed away by {@link #handAway} instead of being answered now.
     */
    public boolean performOrPutOff() {
        if (requests != null) {
            requests.add();
        }
        if (slowOn == null) {
            perform();
            return true;
        }
        if (busy.steps() != 0) {
            busy.perform();
        }
        return !slow.drawsSlow();
    }

    /** In the same callback: the executor blocks, and {@code answer} follows. One that has no room makes the handler block. */
    public void handAway(Connection connection, ConnectionContinuation<Object> answer) throws Exception {
        try {
            connection.offload(
                    slowOn,
                    () -> {
                        slow.block();
                        return null;
                    },
                    answer);
        } catch (RejectedExecutionException full) {
            slow.block();
            answer.resume(connection, null);
        }
    }
}
