package org.cabrank.bench.load;

import java.util.SplittableRandom;

/**
 * The next request goes to a connection drawn by weight; when that has no room, to the next one that has: under overload
 * the busiest connections get less than their weight.
 */
final class WeightedSlots implements Slots {

    private final double[] weightsUpTo;
    private final SplittableRandom random;
    private Requester[] active = {};
    private int free;

    /** {@code weights}: of the connections by their place, relative to each other. */
    WeightedSlots(double[] weights, long seed) {
        weightsUpTo = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            weightsUpTo[i] = sum;
        }
        random = new SplittableRandom(seed);
    }

    @Override
    public void begin(Requester[] all) {
        active = all;
        for (Requester requester : all) {
            free += requester.room();
        }
    }

    @Override
    public void free(Requester requester) {
        free++;
    }

    @Override
    public Requester next() {
        if (free == 0) {
            return null;
        }
        int drawn = draw();
        for (int i = 0; i < active.length; i++) {
            Requester requester = active[(drawn + i) % active.length];
            if (requester.room() > 0) {
                free--;
                return requester;
            }
        }
        // The remaining room belonged to connections that have failed.
        free = 0;
        return null;
    }

    private int draw() {
        double at = random.nextDouble() * weightsUpTo[weightsUpTo.length - 1];
        int low = 0;
        int high = weightsUpTo.length - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (weightsUpTo[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
