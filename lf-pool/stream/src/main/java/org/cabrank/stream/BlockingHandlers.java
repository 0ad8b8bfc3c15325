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
 * <p>The executor needs a thread for each open connection: virtual threads (JDK 21 and later) or platform threads ({@link
 * org.cabrank.lf.OffloadExecutors}). If it refuses a task, the connection is closed with the {@link
 * java.util.concurrent.RejectedExecutionException}.
 *
 * <p>A drain waits for the task to end or to close the connection. After the drain time-out the connection is reset. In a drain {@link
 * BlockingConnection#awaitInput} returns at once. A task that does not call it can check {@link BlockingConnection#isDraining}. Shut the
 * executor down after the reactor, which does not wait for the threads of the executor.
 *
 * <p>An {@linkplain StreamTimeouts#idle idle time-out} ends a connection without traffic, even while its task works. This does not count as
 * a failure of the task. If the task does not catch the exception of a {@link BlockingConnection#readTimeout}, the task has failed.
 */
public final class BlockingHandlers {
    private BlockingHandlers() {}

    /** Returns a supplier of handlers. When a connection is open, its handler lets {@code executor} run {@code task} once. */
    public static Supplier<ConnectionHandler> of(Executor executor, BlockingTask task) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(task, "task");
        return () -> new BlockingHandler(executor, task);
    }
}
