package org.cabrank.stream;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Handlers for sequential code: a task with blocking calls serves each connection, in a thread of an executor.
 *
 * <pre>{@code
 * ExecutorService tasks = OffloadExecutors.virtualThreadsElse("session", 200, 1_000);
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .handler(BlockingHandlers.of(tasks, connection -> connection.inputStream().transferTo(connection.outputStream())))
 *         .start();
 * }</pre>
 *
 * <p>An executor needs a thread for each connection: virtual threads (JDK 21 and later), or as many platform threads as connections are to
 * be served at a time ({@link org.cabrank.lf.OffloadExecutors}). A connection whose task the executor refuses is closed with the {@link
 * java.util.concurrent.RejectedExecutionException}. A task in the executor's queue does not read: the peer sees back-pressure.
 *
 * <p>A drain waits for the task to end or to close the connection, until the drain time-out of the reactor; then the connection is reset.
 * {@link BlockingConnection#awaitInput}, the wait for a next request, ends at once; a task that does something else can look at {@link
 * BlockingConnection#isDraining}. Shut the executor down after the reactor, which does not wait for its threads.
 *
 * <p>An {@linkplain StreamTimeouts#idle idle time-out} ends a connection whose task waits in vain, and is no failure of the task. That time
 * runs while the task works, too, because the connection does not know of that work. If the task does not catch the exception of a {@link
 * BlockingConnection#readTimeout}, the task has failed.
 */
public final class BlockingHandlers {
    private BlockingHandlers() {}

    /** Returns a supplier of handlers; each handler has {@code executor} run {@code task} once, when its connection is open. */
    public static Supplier<ConnectionHandler> of(Executor executor, BlockingTask task) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(task, "task");
        return () -> new BlockingHandler(executor, task);
    }
}
