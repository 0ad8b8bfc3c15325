package org.cabrank.stream;

import java.util.Objects;
import org.cabrank.lf.ShardPlacement;

/** Places pool threads, for instance on a CPU, or ahead of other threads by a priority. */
@FunctionalInterface
public interface ThreadPlacement extends ShardPlacement {
    /** Threads stay where the scheduler puts them. */
    ThreadPlacement NONE = new ThreadPlacement() {
        @Override
        public void place(int shard, int thread) {
            // thread may run anywhere
        }

        @Override
        public <T, E extends Exception> T make(int shard, Maker<T, E> maker) throws E {
            return maker.make(); // a separate thread would not be placed better
        }
    };

    /**
     * Returns the placement of a reactor of this size: by default this placement, which suits every size. Called once when the reactor
     * starts; {@link #shards} of the result decides the number of shards.
     *
     * @param shards number that the builder was given; 0: it was given none, and the placement chooses. 1 if all shards share the threads,
     *     which are then placed like the threads of one shard ({@link #ALL_SHARDS})
     * @param threads of each shard, or those that all shards share; 1 for shards that grow, whose threads all run on the CPUs of the shard
     * @throws IllegalArgumentException if the placement was made for a reactor of another size, with a message that says which
     */
    default ThreadPlacement planned(int shards, int threads) {
        return this;
    }

    /** Returns the number of shards that this placement is for; 0 (the default): any number. */
    default int shards() {
        return 0;
    }

    /** Returns a placement that applies this one, and then {@code next}, such as a priority; this one sets CPUs, strictness and shards. */
    default ThreadPlacement andThen(ThreadPlacement next) {
        Objects.requireNonNull(next, "next");
        ThreadPlacement first = this;
        return new ThreadPlacement() {
            @Override
            public ThreadPlacement planned(int shards, int threads) {
                ThreadPlacement plannedFirst = first.planned(shards, threads);
                int chosen = shards == 0 ? plannedFirst.shards() : shards;
                return plannedFirst.andThen(next.planned(chosen, threads));
            }

            @Override
            public int shards() {
                return first.shards() == 0 ? next.shards() : first.shards();
            }

            @Override
            public void place(int shard, int thread) {
                first.place(shard, thread);
                next.place(shard, thread);
            }

            @Override
            public void prepare(int shard) {
                first.prepare(shard);
                next.prepare(shard);
            }

            @Override
            public int[] cpus(int shard) {
                return first.cpus(shard);
            }

            @Override
            public boolean isStrict() {
                return first.isStrict();
            }
        };
    }
}
