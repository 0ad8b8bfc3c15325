package org.cabrank.lf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Placement of a shard's threads and shared memory: CPUs and memory node, for instance. */
@FunctionalInterface
public interface ShardPlacement {
    int ALL_SHARDS = -1;

    /**
     * Called on each thread that a pool starts, before it touches a handle. An exception ends the start, or the thread if it was added to a
     * {@linkplain PoolConfig#growing growing} pool.
     *
     * @param shard from 0, or {@link #ALL_SHARDS}
     * @param thread from 0 in each pool, below {@link PoolConfig#threads}; the number of an ended thread is used again
     */
    void place(int shard, int thread);

    /**
     * Called on the short-lived thread that makes a shard's shared objects (handle set, rings, buffers), before that: the kernel gives
     * memory from the node of the CPU that touches it first. An exception ends the start. The default places the thread like the shard's
     * first.
     */
    default void prepare(int shard) {
        place(shard, 0);
    }

    /** The numbers of the CPUs that the shard's threads run on, in any order, for bringing work to its receiver. The default knows none. */
    default int[] cpus(int shard) {
        return new int[0];
    }

    /** Returns true if an unavailable placement is refused. Otherwise a weaker one is used, and the log names it and the cause. */
    default boolean isStrict() {
        return false;
    }

    /** Makes something that a shard's threads share. */
    @FunctionalInterface
    interface Maker<T, E extends Exception> {
        T make() throws E;
    }

    /** Runs {@code maker} where the shard's threads will run ({@link #prepare}), and waits. Throws what it throws. */
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
            return made.join(); // an interrupt waits: what is half made could not be given back
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
