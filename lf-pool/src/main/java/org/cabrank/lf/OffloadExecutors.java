package org.cabrank.lf;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Executors for {@link Handle#offload}: the synchronous half of Half-Sync/Half-Async. Whoever makes one shuts it down, after
 * the pool: a pool that is stopped gracefully waits for the work.
 */
public final class OffloadExecutors {
    private static final System.Logger LOGGER = System.getLogger(OffloadExecutors.class.getName());

    private OffloadExecutors() {}

    /**
     * A virtual thread for each piece of work where this JVM has them (21 and later), else {@link #platformThreads}. What
     * bounds the work under way is then the number of handles, each of which has one piece at most.
     *
     * @param name begins the threads' names
     * @param threads of a JVM without virtual threads
     * @param queueMax work that may wait there for a thread
     */
    public static ExecutorService virtualThreadsElse(String name, int threads, int queueMax) {
        ThreadFactory virtual = virtualThreads(name);
        return virtual == null ? platformThreads(name, threads, queueMax) : perTask(virtual);
    }

    /**
     * A fixed number of threads. Work that finds {@code queueMax} waiting is rejected, which the handler that offers it is
     * told by a {@link java.util.concurrent.RejectedExecutionException}.
     *
     * @param name begins the threads' names
     * @param threads from 1
     * @param queueMax from 1
     */
    public static ExecutorService platformThreads(String name, int threads, int queueMax) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(queueMax),
                work -> new Thread(work, name + "-" + number.getAndIncrement()));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Whether {@link #virtualThreadsElse} answers with virtual threads. */
    public static boolean hasVirtualThreads() {
        return virtualThreads("") != null;
    }

    /** By handles, because the language level is older: {@code Thread.ofVirtual().name(name, 0).factory()}. */
    private static ThreadFactory virtualThreads(String name) {
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
