package org.cabrank.bench.report.statistics;

/**
 * Quantiles of Student's t distribution, by bisection of its distribution function. That function is an incomplete beta
 * function, computed by its continued fraction (Abramowitz and Stegun, <em>Handbook of Mathematical Functions</em>, 26.5.8
 * and 26.7.1).
 */
final class StudentT {

    private static final double PRECISION = 1e-12;
    private static final double LARGEST = 1e12;
    private static final int TERMS_MAX = 500;

    private StudentT() {}

    /**
     * Returns the value that a variable with {@code degrees} degrees of freedom exceeds with probability {@code tail}.
     *
     * @param tail more than 0 and at most 0.5
     * @param degrees 1 or more
     */
    static double upperQuantile(double tail, int degrees) {
        if (!(tail > 0 && tail <= 0.5) || degrees < 1) {
            throw new IllegalArgumentException(
                    "a tail of " + tail + " with " + degrees + " degrees of freedom, expected 0 to 0.5 and 1 or more");
        }
        double low = 0;
        double high = 1;
        while (tail(high, degrees) > tail && high < LARGEST) {
            high *= 2;
        }
        while (high - low > PRECISION * high) {
            double middle = (low + high) / 2;
            if (tail(middle, degrees) > tail) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Probability of a value above {@code t}, which is not negative. */
    private static double tail(double t, int degrees) {
        double x = degrees / (degrees + t * t);
        return incompleteBeta(x, degrees / 2.0) / 2;
    }

    /** The regularized incomplete beta function of {@code x} with the parameters {@code a} and 1/2. */
    private static double incompleteBeta(double x, double a) {
        double b = 0.5;
        if (x >= 1) {
            return 1;
        }
        double front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a));
        // The fraction converges fast on one side of the mean only.
        return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
    }

    /** Evaluates the continued fraction from the front (Lentz's method). */
    private static double fraction(double x, double a, double b) {
        double numerator = 1;
        double denominator = 1 / (1 - (a + b) * x / (a + 1));
        double value = denominator;
        for (int m = 1; m <= TERMS_MAX; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            denominator = 1 / (1 + even * denominator);
            numerator = 1 + even / numerator;
            value *= denominator * numerator;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            denominator = 1 / (1 + odd * denominator);
            numerator = 1 + odd / numerator;
            double factor = denominator * numerator;
            value *= factor;
            if (Math.abs(factor - 1) < PRECISION) {
                return value;
            }
        }
        return value;
    }

    /** Logarithm of the beta function of {@code a}, a multiple of 1/2, and 1/2. */
    private static double logBeta(double a) {
        // B(1/2, 1/2) = pi, B(1, 1/2) = 2, and B(x + 1, 1/2) = B(x, 1/2) * x / (x + 1/2).
        double start = a == Math.rint(a) ? 1 : 0.5;
        double value = start == 1 ? Math.log(2) : Math.log(Math.PI);
        for (double x = start; x < a; x++) {
            value += Math.log(x / (x + 0.5));
        }
        return value;
    }
}
