package org.cabrank.bench.experiment;

/**
 * Raw result of one variant in one round.
 *
 * @param <V> variants of the experiment
 * @param <R> result of a turn
 * @param round number of the round, from 1
 * @param position place in its cell in this round, from 1
 * @param failure reason for which the turn does not count; null if it succeeded
 * @param result may be null after a failure
 */
public record VariantRun<V, R>(V variant, int round, int position, String failure, R result) {

    boolean failed() {
        return failure != null;
    }
}
