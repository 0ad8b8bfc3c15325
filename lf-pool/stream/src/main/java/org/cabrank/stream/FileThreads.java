package org.cabrank.stream;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Executes file requests for backends that need threads, in the user's executor or in threads of this class. */
final class FileThreads implements AutoCloseable {
    private final String name;

    private final Executor given;

    /** Null until a file is opened. Guarded by the monitor. */
    private ThreadPoolExecutor threads;

    private boolean closed;

    FileThreads(String name, Executor given) {
        this.name = name;
        this.given = given;
    }

    Executor executor() {
        return given != null ? given : started();
    }

    /** Starts all threads when a file is opened. If pool threads started them later, they would inherit the CPUs of a pool thread. */
    private synchronized ThreadPoolExecutor started() {
        if (threads == null) {
            AtomicInteger number = new AtomicInteger();
            threads = new ThreadPoolExecutor(
                    ReactorFile.THREADS,
                    ReactorFile.THREADS,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(), // at most one task for each connection
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

    @Override
    public synchronized void close() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
    }
}
