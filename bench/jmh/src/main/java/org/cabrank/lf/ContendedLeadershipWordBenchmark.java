package org.cabrank.lf;

import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Cost of the leadership word when two threads, on two cores, access it at the same time.
 *
 * <ul>
 *   <li>{@code watched}: a leader processes one event after the other, and another thread reads the word continuously; in a
 *       pool the watcher reads the word twice in {@code maxGap}.
 *   <li>{@code passed}: two threads pass leadership to and fro. An operation is one round trip.
 *   <li>{@code taken}: a leader processes, and another thread deposes the leader whenever it sees it process. Then the two
 *       threads change places.
 * </ul>
 *
 * <p>Traps: threads spin while they wait for their turn, so the benchmark needs two idle CPUs: otherwise it measures the
 * scheduler, visible in {@code passed} as milliseconds. The word does not share its cache line with changing data: the two
 * threads of a group use locals only.
 */
@State(Scope.Group)
public class ContendedLeadershipWordBenchmark {
    private static final int ONE = 1;
    private static final int OTHER = 2;

    private LeadershipWord word;

    @Setup(Level.Iteration)
    public void lead() {
        word = new LeadershipWord();
        word.tryLead(ONE);
    }

    @Benchmark
    @Group("watched")
    public boolean processing() {
        return word.endProcessing(word.beginProcessingRelease());
    }

    @Benchmark
    @Group("watched")
    public long look() {
        return word.wordAcquire();
    }

    @Benchmark
    @Group("passed")
    public void passByOne(Control control) {
        passOn(ONE, OTHER, control);
    }

    @Benchmark
    @Group("passed")
    public void passByOther(Control control) {
        passOn(OTHER, ONE, control);
    }

    private void passOn(int me, int successor, Control control) {
        while (LeadershipWord.owner(word.wordAcquire()) != me) {
            if (control.stopMeasurement) {
                return;
            }
            Thread.onSpinWait();
        }
        word.handOverVolatile(successor, 1);
    }

    @Benchmark
    @Group("taken")
    public boolean takeByOne() {
        return processOrDepose(ONE);
    }

    @Benchmark
    @Group("taken")
    public boolean takeByOther() {
        return processOrDepose(OTHER);
    }

    private boolean processOrDepose(int me) {
        long seen = word.wordAcquire();
        return LeadershipWord.owner(seen) == me
                ? word.endProcessing(word.beginProcessingRelease())
                : word.depose(seen, me);
    }
}
