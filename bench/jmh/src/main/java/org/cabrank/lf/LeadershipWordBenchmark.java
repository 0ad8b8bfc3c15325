package org.cabrank.lf;

import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does the leadership word cost a leader that nobody disturbs? That is what a pool of several threads pays for each event
 * under deferred promotion, and one with a single thread does not.
 *
 * <p>Trap: the word stays in the cache of one core here, and its lock prefix costs least there. {@link
 * ContendedLeadershipWordBenchmark} has the other end.
 */
@State(Scope.Thread)
public class LeadershipWordBenchmark {
    private final LeadershipWord word = new LeadershipWord();
    private int leader = 1;

    @Setup
    public void lead() {
        word.tryLead(leader);
    }

    /** As the leader does it for each event: a release store and a compare-and-set. */
    @Benchmark
    public boolean processing() {
        return word.endProcessing(word.beginProcessingRelease());
    }

    /** As the leader does it for each wait: a release store, and a volatile one with a full fence. */
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

    /** The standby's. */
    @Benchmark
    public long look() {
        return word.wordAcquire();
    }
}
