package org.cabrank.stream;

import java.util.Objects;
import org.cabrank.lf.ShardPlacement;

/** Places pool threads, for instance on a CPU, or ahead of other threads by a priority. */
@FunctionalInterface
public interface ThreadPlacement extends ShardPlacement {
    /** Leaves the placement of threads to the scheduler. */
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
     * Returns the placement of a reactor of this size. The default is this placement. Called once, when the reactor starts. {@link #shards}
     * of the result sets the number of shards.
     *
     * @param shards number of shards of the builder; 0 if the placement chooses it; 1 if all shards share the threads ({@link #ALL_SHARDS})
     * @param threads number of threads of each shard, or of all shards if they share them; 1 for shards that grow
     * @throws IllegalArgumentException if the placement was made for a reactor of another size
     */
    default ThreadPlacement planned(int shards, int threads) {
        return this;
    }

    /** Returns the number of shards that this placement is for. Returns 0, the default, if it suits any number. */
    default int shards() {
        return 0;
    }

    /** Returns this placement followed by {@code next}. CPUs, strictness and number of shards (unless 0) are those of this placement. */
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
