package org.cabrank.httpserver;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs handlers: on the calling thread, or by the program's executor. {@code Executor.execute} may block, so at most all threads of a shard
 * but one are inside at a time: further requests wait without a thread.
 */
final class HandlerExecutor {
    /** Null if handlers run on the calling thread. */
    private final Executor executor;

    private final Entrance[] entrances;

    /** By the threads of one shard. */
    private static final class Entrance {
        private final int insideMax;
        private final Queue<ServedExchange> waiting = new ArrayDeque<>();
        private int inside;

        Entrance(int insideMax) {
            this.insideMax = insideMax;
        }

        /** Returns false if the exchange waits. */
        synchronized boolean enter(ServedExchange exchange) {
            if (inside == insideMax) {
                waiting.add(exchange);
                return false;
            }
            inside++;
            return true;
        }

        synchronized ServedExchange leave() {
            ServedExchange next = waiting.poll();
            if (next == null) {
                inside--;
            }
            return next;
        }
    }

    /** The call of {@code execute} that a thread is in. */
    static final class Call {
        private final Thread thread = Thread.currentThread();
        private final Entrance entrance;
        private boolean over;

        private Call(Entrance entrance) {
            this.entrance = entrance;
        }
    }

    HandlerExecutor(Executor executor, int shards, int threads) {
        this.executor = executor;
        entrances = new Entrance[executor == null ? 0 : shards];
        Arrays.setAll(entrances, shard -> new Entrance(Math.max(1, threads - 1)));
    }

    /** Returns true if handlers run on the calling thread, which is one of the server. */
    boolean isCaller() {
        return executor == null;
    }

    /** Called on a thread of the server. */
    void execute(ServedExchange exchange) {
        if (executor == null) {
            exchange.run();
            return;
        }
        exchange.awaitExecutor();
        Entrance entrance = entrances[exchange.http().connection().shard()];
        if (entrance.enter(exchange)) {
            executeInside(exchange, entrance);
        }
    }

    private void executeInside(ServedExchange exchange, Entrance entrance) {
        Call call = new Call(entrance);
        exchange.setCall(call);
        try {
            executor.execute(exchange);
        } catch (Throwable refused) { // even an error, because the client waits
            exchange.rejected(refused);
        } finally {
            end(call);
        }
    }

    /** The handler begins: a thread that runs it in {@code execute} counts as any thread that runs a handler. */
    void begun(ServedExchange exchange) {
        Call call = exchange.call();
        if (call != null && call.thread == Thread.currentThread()) {
            end(call);
        }
    }

    /** The thread has returned from {@code execute}: another exchange may enter. */
    private void end(Call call) {
        if (call.over) {
            return;
        }
        call.over = true;
        for (ServedExchange next = call.entrance.leave(); next != null; next = call.entrance.leave()) {
            ServedExchange admitted = next;
            try {
                admitted.http().connection().execute(() -> executeInside(admitted, call.entrance));
                return;
            } catch (
                    RejectedExecutionException
                            goneOrFull) { // with a full mailbox too, the client must not wait in vain
                admitted.giveUp();
            }
        }
    }
}
