package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;

/** A file whose requests the threads of an executor carry out, by calls that block. Any thread. */
public abstract class ThreadedFile extends OffloadedFile {
    private final Executor threads;

    protected ThreadedFile(Path path, Executor threads) {
        super(path);
        this.threads = threads;
    }

    /** Reads, writes or syncs, with the operation's buffer, whose position the caller moves. Returns the number of bytes; sync: 0. */
    protected abstract int step(FileOperation operation) throws IOException;

    /** @throws RejectedExecutionException when the reactor is closed, or by the user's executor */
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
