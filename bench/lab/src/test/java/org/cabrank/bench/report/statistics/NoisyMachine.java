package org.cabrank.bench.report.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A made-up bench of two equally fast servers among seven, on a virtual machine with noise like that of a real one: the
 * speed of the machine differs by 20 % from round to round and wanders within seconds, each start of a process makes it a
 * little faster or slower for good, some minutes are three times as noisy, and one interval in twenty is robbed of up to half
 * of its time.
 */
final class NoisyMachine {

    private static final int SERVERS = 7;
    private static final double ROUND = 0.2;
    private static final double WANDERING = 0.12;
    private static final double MEMORY = 0.9;
    private static final double START = 0.02;
    private static final double INTERVAL = 0.05;
    private static final double BUSY_ROUNDS = 0.3;
    private static final double BUSY = 3;
    private static final double ROBBED = 0.05;

    private final Random random;
    private final double start;
    private double level;

    NoisyMachine(Random random) {
        this(random, START);
    }

    /** @param start standard deviation of the logarithm of a process's speed, from start to start */
    NoisyMachine(Random random, double start) {
        this.random = random;
        this.start = start;
        level = WANDERING * random.nextGaussian();
    }

    /** The ratios of the pairs of {@code slices} slices of a round; their true median is 1. */
    List<Double> round(int slices) {
        double machine = ROUND * random.nextGaussian();
        double noise = INTERVAL * (random.nextDouble() < BUSY_ROUNDS ? BUSY : 1);
        double[] starts = {start * random.nextGaussian(), start * random.nextGaussian()};
        List<Double> ratios = new ArrayList<>();
        for (int slice = 0; slice < slices; slice++) {
            double[] logs = new double[2];
            for (int place = 0; place < SERVERS; place++) {
                level = MEMORY * level + Math.sqrt(1 - MEMORY * MEMORY) * WANDERING * random.nextGaussian();
                // Both servers change places from slice to slice, as all servers do in the bench.
                int server = (place + slice) % SERVERS;
                if (server < 2) {
                    logs[server] = machine + level + starts[server] + noise * random.nextGaussian() + robbed();
                }
            }
            ratios.add(Math.exp(logs[0] - logs[1]));
        }
        return ratios;
    }

    private double robbed() {
        return random.nextDouble() < ROBBED ? Math.log(1 - random.nextDouble() / 2) : 0;
    }
}
