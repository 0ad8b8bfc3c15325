package org.cabrank.stream;

import java.util.Objects;
import org.cabrank.lf.ShardPlacement;

/** Places pool threads, for instance on a CPU, or before other threads by a priority. */
@FunctionalInterface
public interface ThreadPlacement extends ShardPlacement {
    /** Threads stay where the scheduler puts them. */
    ThreadPlacement NONE = new ThreadPlacement() {
        @Override
        public void place(int shard, int thread) {
            // anywhere
        }

        @Override
        public <T, E extends Exception> T make(int shard, Maker<T, E> maker) throws E {
            return maker.make(); // a thread of its own would be placed no better
        }
    };

    /** This, and then {@code next}: for instance a CPU, and then a priority. What this says of CPUs and strictness stands. */
    default ThreadPlacement andThen(ThreadPlacement next) {
        Objects.requireNonNull(next, "next");
        ThreadPlacement first = this;
        return new ThreadPlacement() {
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
