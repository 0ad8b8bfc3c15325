package org.cabrank.stream;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.stream.transport.FileOperation;
import org.cabrank.stream.transport.OffloadedFile;

/**
 * Files whose requests threads carry out, for backends that cannot do without: those of the user's executor, or threads of this
 * class. Any thread.
 */
final class FileThreads implements AutoCloseable {
    private final String name;

    /** Executor of the user, who shuts it down; null: none. */
    private final Executor given;

    /** Threads of this class; null until a file is opened. Guarded by the monitor. */
    private ThreadPoolExecutor threads;

    /** Guarded by the monitor. */
    private boolean closed;

    FileThreads(String name, Executor given) {
        this.name = name;
        this.given = given;
    }

    ReactorFile open(Path path, Set<OpenOption> options) throws IOException {
        Executor executor = given != null ? given : started();
        return new ChannelFile(path, FileChannel.open(path, options), executor);
    }

    /** All at once, by a thread that opens a file: a thread inherits the CPUs of its creator, and those of pools may be pinned. */
    private synchronized ThreadPoolExecutor started() {
        if (threads == null) {
            AtomicInteger number = new AtomicInteger();
            threads = new ThreadPoolExecutor(
                    ReactorFile.THREADS,
                    ReactorFile.THREADS,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(), // no longer than there are connections
                    task -> {
                        Thread thread = new Thread(task, name + "-files-" + number.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });
            threads.prestartAllCoreThreads();
        }
        if (closed) {
            threads.shutdown();
        }
        return threads;
    }

    /** Requests that are under way are carried out to their end. */
    @Override
    public synchronized void close() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
    }

    private static final class ChannelFile extends OffloadedFile {
        private final FileChannel channel;
        private final Executor threads;

        ChannelFile(Path path, FileChannel channel, Executor threads) {
            super(path);
            this.channel = channel;
            this.threads = threads;
        }

        /** @throws RejectedExecutionException when the reactor is closed, or by the user's executor */
        @Override
        protected void start(Connection connection, FileOperation operation) {
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
            } catch (RuntimeException unfit) { // of the channel: not open for this, for instance
                operation.failed(new IOException(operation + " failed: " + unfit, unfit));
                decided = true;
            } finally {
                if (!decided) {
                    operation.failed(new IOException(operation + " failed: its thread ran out of memory or stack"));
                }
                operation.end();
            }
        }

        /** The channel moves the position of the buffer that it is given, which the operation does itself. */
        private int step(FileOperation operation) throws IOException {
            return switch (operation.kind()) {
                case READ -> Math.max(0, channel.read(operation.buffer().duplicate(), operation.position()));
                case WRITE -> channel.write(operation.buffer().duplicate(), operation.position());
                case SYNC, SYNC_DATA -> {
                    channel.force(operation.kind() == FileOperation.Kind.SYNC);
                    yield 0;
                }
            };
        }

        @Override
        protected void closeDescriptor() throws IOException {
            channel.close();
        }
    }
}
