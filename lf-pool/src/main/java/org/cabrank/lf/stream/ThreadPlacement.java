package org.cabrank.lf.stream;

/** Puts pool threads in their place, for instance on a CPU. */
@FunctionalInterface
public interface ThreadPlacement {
    /** Threads stay where the scheduler puts them. */
    ThreadPlacement NONE = (shard, thread) -> {};

    /**
     * Called on each thread that a reactor starts, before it touches a handle. An exception ends the start of the reactor.
     *
     * @param shard from 0
     * @param thread from 0 in each shard
     */
    void place(int shard, int thread);
}
