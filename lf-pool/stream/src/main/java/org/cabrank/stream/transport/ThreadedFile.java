package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;

/** A file whose requests are carried out by blocking calls in the threads of an executor. */
public abstract class ThreadedFile extends OffloadedFile {
    private final Executor threads;

    protected ThreadedFile(Path path, Executor threads) {
        super(path);
        this.threads = threads;
    }

    /** Reads, writes or syncs without moving the position of the buffer. Returns the number of bytes, or 0 for a sync. */
    protected abstract int step(FileOperation operation) throws IOException;

    /** @throws RejectedExecutionException if the reactor is closed, or if the user's executor throws it */
    @Override
    protected final void start(Connection connection, FileOperation operation) {
        threads.execute(() -> carryOut(operation));
    }

    private void carryOut(FileOperation operation) {
        boolean decided = false;
        try {
            boolean more = true;
            while (more) {
                more = operation.transferred(step(operation));
            }
            decided = true;
        } catch (IOException refused) {
            operation.failed(new IOException(operation + " failed: " + refused.getMessage(), refused));
            decided = true;
        } catch (RuntimeException unfit) { // thrown by a channel, for example because it is not open for this operation
            operation.failed(new IOException(operation + " failed: " + unfit, unfit));
            decided = true;
        } finally {
            if (!decided) {
                operation.failed(new IOException(operation + " failed: its thread ran out of memory or stack"));
            }
            operation.end();
        }
    }
}
