package org.cabrank.lf;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.handle.Handle;

/**
 * Executors for {@link Handle#offload}: the synchronous half of Half-Sync/Half-Async. The caller shuts an executor down after the pool: a
 * pool that stops gracefully waits for the work.
 *
 * <p><b>CPUs.</b> On Linux a thread inherits the CPUs of the thread that starts it. Other executors start their threads, and the JVM starts
 * the carriers of virtual threads, on the thread that submits work. If this is a pool thread pinned to one CPU, the offloaded work competes
 * with the pool thread. These executors start their threads on the thread that makes the executor, or on a daemon thread, {@code
 * NAME-starter}, that the maker starts. So make them before the pool, on an unpinned thread (the main thread, not a handler). They make no
 * system call and do not change the CPUs of a thread.
 *
 * <p>If shards are pinned, an executor of the service must start all its threads when it is made ({@code prestartAllCoreThreads} without a
 * time-out of core threads), or unpin them with {@code Affinity.unpinned} and {@code Affinity.unpinnedTasks} of the module
 * {@code org.cabrank.affinity}. The same holds for work in virtual threads that a pinned thread starts or unparks in another way: the JVM
 * may need a further carrier at that moment.
 */
public final class OffloadExecutors {
    private static final System.Logger LOGGER = System.getLogger(OffloadExecutors.class.getName());

    private OffloadExecutors() {}

    /**
     * A virtual thread for each piece of work if this JVM has them (21 and later), else {@link #platformThreads}. Work under way is bounded
     * by the number of handles, because each handle offloads one piece at most. {@code name} begins the names of the threads; the other
     * parameters are those of {@link #platformThreads}.
     */
    public static ExecutorService virtualThreadsElse(String name, int threads, int queueMax) {
        ThreadFactory virtual = virtualThreads(Objects.requireNonNull(name, "name"));
        return virtual == null ? platformThreads(name, threads, queueMax) : new StartingThread(name, perTask(virtual));
    }

    /**
     * A fixed number of daemon threads, started by this call, that live until the executor is shut down. Work offered while {@code
     * queueMax} pieces wait is rejected: the handler that offers the work gets a {@link RejectedExecutionException}. {@code name} begins
     * the names of the threads; {@code threads} and {@code queueMax} are from 1.
     */
    public static ExecutorService platformThreads(String name, int threads, int queueMax) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor = new Bounded(threads, queueMax, work -> {
            Thread thread = new Thread(work, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        executor.prestartAllCoreThreads(); // if pool threads started them later, they would inherit the pool's CPUs
        return executor;
    }

    /** Counts the work under way: the size of the queue would include work that an idle thread is about to take. */
    private static final class Bounded extends ThreadPoolExecutor {
        private final Semaphore room;

        Bounded(int threads, int queueMax, ThreadFactory factory) {
            super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
            if (queueMax < 1) {
                throw new IllegalArgumentException("queueMax must be from 1, but is " + queueMax);
            }
            room = new Semaphore(Math.addExact(threads, queueMax));
        }

        @Override
        public void execute(Runnable work) {
            if (!room.tryAcquire()) {
                throw new RejectedExecutionException("all " + getCorePoolSize() + " threads are busy, and "
                        + getQueue().size() + " pieces of work wait for them, the most that may");
            }
            try {
                super.execute(work);
            } catch (RejectedExecutionException shutDown) {
                room.release();
                throw shutDown;
            }
        }

        @Override
        protected void afterExecute(Runnable work, Throwable thrown) {
            room.release();
        }
    }

    public static boolean hasVirtualThreads() {
        return virtualThreads("") != null;
    }

    /** Returns {@code Thread.ofVirtual().name(name, 0).factory()}, by method handles because of the language level; null if unavailable. */
    static ThreadFactory virtualThreads(String name) {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle builder = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle named =
                    lookup.findVirtual(ofVirtual, "name", MethodType.methodType(ofVirtual, String.class, long.class));
            MethodHandle factory = lookup.findVirtual(ofVirtual, "factory", MethodType.methodType(ThreadFactory.class));
            return (ThreadFactory) factory.invoke(named.invoke(builder.invoke(), name + "-", 0L));
        } catch (ClassNotFoundException | NoSuchMethodException | UnsupportedOperationException none) {
            LOGGER.log(System.Logger.Level.DEBUG, "this JVM has no virtual threads", none); // 19 and 20: a preview
            return null;
        } catch (Throwable unexpected) {
            throw new IllegalStateException("virtual threads could not be had", unexpected);
        }
    }

    private static ExecutorService perTask(ThreadFactory virtual) {
        try {
            return (ExecutorService) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class, ThreadFactory.class))
                    .invoke(virtual);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("virtual threads could not be had", unexpected);
        }
    }
}
