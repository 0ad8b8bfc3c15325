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
 * Executors for {@link Handle#offload}: the synchronous half of Half-Sync/Half-Async. The caller must shut an executor down, but only after
 * the pool, because a pool that stops gracefully waits for offloaded work.
 *
 * <p><b>CPUs.</b> On Linux a new thread inherits the CPUs of the thread that starts it. Most executors start a thread on the thread that
 * submits work. The JVM does this with the carriers of virtual threads. If a pinned pool thread submits work, the new thread competes with
 * it for one CPU. The executors of this class start their threads on the thread that makes the executor, or on a daemon thread named {@code
 * NAME-starter}, which the maker starts. So make the executors before the pool, on an unpinned thread such as the main thread.
 *
 * <p>If shards are pinned and the service uses its own executor, there are two solutions. The executor may start all its threads when it is
 * made, with {@code prestartAllCoreThreads} and without a time-out of core threads. Or {@code Affinity.unpinned} or {@code
 * Affinity.unpinnedTasks} of the module {@code org.cabrank.affinity} unpins its threads. If a pinned thread starts or unparks virtual
 * threads, use {@code unpinnedTasks}.
 */
public final class OffloadExecutors {
    private static final System.Logger LOGGER = System.getLogger(OffloadExecutors.class.getName());

    private OffloadExecutors() {}

    /**
     * Runs each piece of work on a new virtual thread. Each handle has at most one piece of work. Before Java 21, returns {@link
     * #platformThreads}, and only there {@code threads} and {@code queueMax} are used. {@code name} is the prefix of the thread names.
     */
    public static ExecutorService virtualThreadsElse(String name, int threads, int queueMax) {
        ThreadFactory virtual = virtualThreads(Objects.requireNonNull(name, "name"));
        return virtual == null ? platformThreads(name, threads, queueMax) : new StartingThread(name, perTask(virtual));
    }

    /**
     * Runs work on {@code threads} daemon threads, which this call starts. If {@code queueMax} pieces of work wait already, further work is
     * rejected with a {@link RejectedExecutionException}. {@code name} is the prefix of the thread names. Both numbers are at least 1.
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

    /** Limits the work with a semaphore and not by the queue, which may hold work that an idle thread is about to take. */
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

    /** Calls {@code Thread.ofVirtual().name(name, 0).factory()} by reflection. Returns null before Java 21. */
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
            LOGGER.log(System.Logger.Level.DEBUG, "this JVM has no virtual threads", none); // a preview in 19 and 20
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
