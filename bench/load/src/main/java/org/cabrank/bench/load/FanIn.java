package org.cabrank.bench.load;

import java.util.SplittableRandom;

/**
 * Distribution of load over the connections of a fan-in: the busiest sends twice as much as the second, three times as much
 * as the third and so on (Zipf's law, exponent 1), and requests have four sizes. The seed assigns these ranks to
 * connections, equally for all workers.
 */
final class FanIn {

    /** Sizes are 1, 2, 4 and 8 times the smallest. */
    static final int SIZES = 4;

    private final double[] weights;
    private final int[] sizesBytes;

    FanIn(LoadTraffic traffic) {
        SplittableRandom random = new SplittableRandom(traffic.seed());
        weights = new double[traffic.connections()];
        sizesBytes = new int[weights.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 1.0 / (i + 1);
            sizesBytes[i] = traffic.sizeBytes() << random.nextInt(SIZES);
        }
        for (int i = weights.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            double weight = weights[i];
            weights[i] = weights[other];
            weights[other] = weight;
        }
    }

    int sizeBytes(int connection) {
        return sizesBytes[connection];
    }

    /** Weights of {@code count} connections, starting with number {@code first}. */
    double[] weights(int first, int count) {
        double[] some = new double[count];
        System.arraycopy(weights, first, some, 0, count);
        return some;
    }

    /** The part of all requests that those connections send. */
    double share(int first, int count) {
        double all = 0;
        double some = 0;
        for (int i = 0; i < weights.length; i++) {
            all += weights[i];
            some += i >= first && i < first + count ? weights[i] : 0;
        }
        return some / all;
    }
}
