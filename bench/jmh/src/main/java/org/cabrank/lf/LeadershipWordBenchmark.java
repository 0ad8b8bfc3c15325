package org.cabrank.lf;

import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of the leadership word for a leader without contention. A pool of several threads pays this cost for each event
 * under deferred promotion; a pool of one thread does not.
 *
 * <p>Trap: the word stays in the cache of one core, where its lock prefix is cheapest.
 * {@link ContendedLeadershipWordBenchmark} measures the opposite case.
 */
@State(Scope.Thread)
public class LeadershipWordBenchmark {
    private final LeadershipWord word = new LeadershipWord();
    private int leader = 1;

    @Setup
    public void lead() {
        word.tryLead(leader);
    }

    /** The leader's accesses for each event: a release store and a compare-and-set. */
    @Benchmark
    public boolean processing() {
        return word.endProcessing(word.beginProcessingRelease());
    }

    /** The leader's accesses for each wait: a release store, and a volatile store with a full fence. */
    @Benchmark
    public void detecting() {
        word.beginDetectingRelease();
        word.endDetectingVolatile();
    }

    /** To itself, so that the next operation finds the same. */
    @Benchmark
    public boolean promotion() {
        return word.promote(word.beginProcessingRelease(), leader);
    }

    /** The watcher's. */
    @Benchmark
    public long look() {
        return word.wordAcquire();
    }
}
