package org.cabrank.bench.serve;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;

/**
 * What a handler does before it answers, simulated: it computes, and now and then it blocks. Every server of the bench uses
 * this one class, so that all have the same work. Any thread.
 *
 * @param slowOn where a handler that can hand its blocking away has it done; null: in the thread that runs the handler
 * @param requests where a handler that can hand its blocking away has its requests counted; null: nowhere
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

    /** The same, with its requests counted. */
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
