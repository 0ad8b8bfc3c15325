package org.cabrank.lf.stream;

import java.util.Objects;

/** Puts pool threads in their place, for instance on a CPU, or before others by a priority. */
@FunctionalInterface
public interface ThreadPlacement {
    /** Threads stay where the scheduler puts them. */
    ThreadPlacement NONE = (shard, thread) -> {};

    /** The thread serves every shard ({@link StreamReactor.Builder#sharedThreads}). */
    int ALL_SHARDS = -1;

    /**
     * Called on each thread that a reactor starts, before it touches a handle. An exception ends the start of the reactor.
     *
     * @param shard from 0, or {@link #ALL_SHARDS}
     * @param thread from 0 in each pool
     */
    void place(int shard, int thread);

    /** This, and then {@code next}: for instance a CPU, and then a priority. */
    default ThreadPlacement andThen(ThreadPlacement next) {
        Objects.requireNonNull(next, "next");
        return (shard, thread) -> {
            place(shard, thread);
            next.place(shard, thread);
        };
    }
}
