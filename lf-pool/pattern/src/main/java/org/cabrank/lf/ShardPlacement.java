package org.cabrank.lf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Placement of a shard's threads and shared memory: CPUs and memory node, for instance. */
@FunctionalInterface
public interface ShardPlacement {
    int ALL_SHARDS = -1;

    /**
     * Called on each thread that a pool starts, before the thread touches a handle. An exception ends the start, or only the thread if it
     * was added to a {@linkplain PoolConfig#growing growing} pool.
     *
     * @param shard from 0, or {@link #ALL_SHARDS}
     * @param thread from 0 in each pool, below {@link PoolConfig#threads}; the number of an ended thread is used again
     */
    void place(int shard, int thread);

    /**
     * Called on the short-lived thread that makes a shard's shared objects (handle set, rings, buffers), before it makes them: the kernel
     * takes memory from the node of the CPU that touches it first. An exception ends the start. The default places the thread like thread 0
     * of the shard.
     */
    default void prepare(int shard) {
        place(shard, 0);
    }

    /** Numbers of the CPUs that the shard's threads run on, in any order. Used to bring work to its receiver. The default is empty. */
    default int[] cpus(int shard) {
        return new int[0];
    }

    /** Returns true if an unavailable placement is refused. If false, a weaker placement is used, which the log names with the cause. */
    default boolean isStrict() {
        return false;
    }

    /** Makes something that a shard's threads share. */
    @FunctionalInterface
    interface Maker<T, E extends Exception> {
        T make() throws E;
    }

    /** Runs {@code maker} on a thread placed by {@link #prepare}, and waits for the result. Throws the exception of {@code maker}. */
    default <T, E extends Exception> T make(int shard, Maker<T, E> maker) throws E {
        CompletableFuture<T> made = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        prepare(shard);
                        made.complete(maker.make());
                    } catch (Throwable refused) {
                        made.completeExceptionally(refused);
                    }
                },
                "cabrank-make-s" + shard);
        thread.start();
        try {
            return made.join(); // not interruptible: a half-made object could not be released
        } catch (CompletionException refused) {
            throw ShardPlacement.<E>asThrown(refused.getCause());
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> E asThrown(Throwable refusal) {
        if (refusal instanceof Error fatal) {
            throw fatal;
        }
        return (E) refusal;
    }
}
