package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has one thread, which the constructor starts and which submits the work to another executor. So the threads of that executor inherit the
 * CPUs of the constructor's caller and not the CPU of a pinned pool thread. {@link OffloadExecutors} has the reasons.
 */
final class StartingThread extends AbstractExecutorService {
    private static final System.Logger LOGGER = System.getLogger(OffloadExecutors.class.getName());

    private final ExecutorService target;

    /** The queue of this executor needs no limit, because each handle has at most one piece of work in it. */
    private final ThreadPoolExecutor starting;

    StartingThread(String name, ExecutorService target) {
        this.target = target;
        this.starting = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), starter -> {
            Thread thread = new Thread(starter, name + "-starter");
            thread.setDaemon(true);
            return thread;
        });
        starting.prestartAllCoreThreads();
    }

    private final class Handed implements Runnable {
        private final Runnable work;

        Handed(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                target.execute(work);
            } catch (Throwable refused) { // the work must run: its handle waits for it
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "no thread for offloaded work, the starting thread runs it",
                        refused);
                work.run();
            }
        }
    }

    @Override
    public void execute(Runnable work) {
        starting.execute(new Handed(work));
    }

    @Override
    public void shutdown() {
        if (!starting.isShutdown()) {
            try {
                starting.execute(target::shutdown); // queued after the accepted work
            } catch (RejectedExecutionException another) {
                return; // another thread shuts down at the same time
            }
            starting.shutdown();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> never = new ArrayList<>();
        for (Runnable handed : starting.shutdownNow()) {
            if (handed instanceof Handed work) {
                never.add(work.work);
            }
        }
        never.addAll(target.shutdownNow());
        return never;
    }

    @Override
    public boolean isShutdown() {
        return starting.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return starting.isTerminated() && target.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long beginNs = System.nanoTime();
        long timeoutNs = unit.toNanos(timeout);
        return starting.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS)
                && target.awaitTermination(timeoutNs - (System.nanoTime() - beginNs), TimeUnit.NANOSECONDS);
    }
}
