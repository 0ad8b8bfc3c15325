package org.cabrank.httpserver;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs handlers on the calling thread or by the program's executor. {@code Executor.execute} may block. Therefore at least one thread of
 * a shard with several threads is always outside of {@code execute}. Requests that wait to enter {@code execute} occupy no thread.
 */
final class HandlerExecutor {
    /** The program's executor; null if handlers run on the calling thread. */
    private final Executor executor;

    private final Entrance[] entrances;

    /** Limits the threads of one shard that are inside {@code execute}. */
    private static final class Entrance {
        private final int insideMax;
        private final Queue<ServedExchange> waiting = new ArrayDeque<>();
        private int inside;

        Entrance(int insideMax) {
            this.insideMax = insideMax;
        }

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

    /** Called when a handler begins. If {@code execute} itself runs the handler, the calling thread counts as outside from now on. */
    void begun(ServedExchange exchange) {
        Call call = exchange.call();
        if (call != null && call.thread == Thread.currentThread()) {
            end(call);
        }
    }

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
                            goneOrFull) { // even with a full mailbox, the client must not wait in vain
                admitted.giveUp();
            }
        }
    }
}
