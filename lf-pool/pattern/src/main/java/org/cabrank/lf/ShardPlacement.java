package org.cabrank.lf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Decides the CPUs and the memory node of a shard's threads and shared memory. */
@FunctionalInterface
public interface ShardPlacement {
    int ALL_SHARDS = -1;

    /**
     * Called on each thread that a pool starts, before the thread touches a handle. If this throws on an initial thread, the pool does not
     * start. If this throws on a thread that is added to a {@linkplain PoolConfig#growing growing} pool, only this thread ends.
     *
     * @param shard index of the shard, or {@link #ALL_SHARDS}
     * @param thread number of the thread in its pool, from 0 to {@link PoolConfig#threads} - 1. The number of an ended thread is used again
     */
    void place(int shard, int thread);

    /**
     * Called on a short-lived thread before it makes a shard's shared objects. The kernel takes their memory from the node of the CPU that
     * touches it first. If this throws, the shard is not made. The default calls {@link #place} for thread 0 of the shard.
     */
    default void prepare(int shard) {
        place(shard, 0);
    }

    /** CPUs that the shard's threads run on, in any order. Used to bring work to the CPU of its receiver. The default is empty. */
    default int[] cpus(int shard) {
        return new int[0];
    }

    /** True if the start must fail if the placement is impossible. If false, a weaker placement is used, and the cause is logged. */
    default boolean isStrict() {
        return false;
    }

    /** Makes something that a shard's threads share. */
    @FunctionalInterface
    interface Maker<T, E extends Exception> {
        T make() throws E;
    }

    /** Runs {@code maker} on a new thread placed by {@link #prepare}, and returns its result. Throws the exception of {@code maker}. */
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
