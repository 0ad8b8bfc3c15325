package org.cabrank.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.transport.AnsweringHandler;

/** Feeds a {@link BlockingConnection} with the callbacks of its connection, and runs the task of the connection if there is one. */
final class BlockingHandler implements ConnectionHandler, AnsweringHandler {
    private static final int CAUSES_MAX = 32;

    private final Executor executor;

    private final BlockingTask task;
    private ConnectionHandler former;
    private BlockingConnection view;

    BlockingHandler(Executor executor, BlockingTask task) {
        this.executor = executor;
        this.task = task;
    }

    static BlockingConnection takeOver(Connection connection) {
        BlockingHandler own = new BlockingHandler(null, null);
        own.view = new BlockingConnection(connection);
        ConnectionHandler former = connection.replaceHandler(own);
        if (former instanceof BlockingHandler earlier && earlier.view != null) {
            connection.replaceHandler(former);
            return earlier.view;
        }
        own.former = former;
        return own.view;
    }

    @Override
    public void opened(Connection connection) {
        view = new BlockingConnection(connection);
        executor.execute(this::runTask);
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        view.reader.received(data);
    }

    @Override
    public void writable(Connection connection) {
        view.writer.becameWritable();
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) {
        view.reader.inputEnded(unread);
    }

    @Override
    public void draining(Connection connection) {
        view.drains();
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        if (former != null) {
            former.deadlinePassed(connection);
        }
    }

    @Override
    public void beforeNestedWait(Connection connection) {
        if (former != null) {
            former.beforeNestedWait(connection);
        }
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        if (view != null) {
            view.ended(cause);
        }
        if (former != null) {
            former.closed(connection, cause);
        }
    }

    @Override
    public boolean mayAnswer() {
        return view.reader.mayAnswer();
    }

    private void runTask() {
        try {
            task.run(view);
            view.close();
        } catch (Throwable failed) {
            if (isEndOfConnection(failed)) {
                view.close();
            } else {
                report(failed);
            }
        }
    }

    private boolean isEndOfConnection(Throwable failed) {
        Throwable cause = failed;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof ConnectionEndedException ended && ended.concerns(view.connection())) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Fails the connection as if a callback had thrown. If the connection has ended, throws the failure in the executor's thread. */
    private void report(Throwable failed) {
        boolean reported = false;
        while (!reported) {
            int seen = view.writer.timesWritable();
            try {
                view.connection().execute(() -> BlockingHandler.<RuntimeException>rethrow(failed));
                reported = true;
            } catch (RejectedExecutionException goneOrFull) {
                if (!view.writer.awaitRoomInMailbox(seen)) {
                    BlockingHandler.<RuntimeException>rethrow(failed);
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failed) throws E {
        throw (E) failed;
    }
}
