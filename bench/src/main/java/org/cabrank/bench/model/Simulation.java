package org.cabrank.bench.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** Connections that send their next request when the last one was answered, to shards on cores. See the package. */
public final class Simulation {

    private final Scenario scenario;
    private final VirtualTime time = new VirtualTime();
    private final Cores loadCores;
    private final SplittableRandom random;
    private final List<Shard> shards = new ArrayList<>();
    /** Connections whose turn it is on the load generator. */
    private final Deque<Connection> atLoad = new ArrayDeque<>();

    private final double requestNs;
    private int loadThreadsIdle;
    private final int warmup;
    private final double[] latenciesNs;
    private int answers;
    private double countedFromNs;
    private long promotionsBefore;
    private long takeoversBefore;

    private Simulation(Scenario scenario, Costs costs) {
        this.scenario = scenario;
        Cores cores = new Cores(scenario.cores(), time);
        loadCores = scenario.loadCores() == 0 ? cores : new Cores(scenario.loadCores(), time);
        random = new SplittableRandom(scenario.seed());
        warmup = scenario.requests() / 10;
        latenciesNs = new double[scenario.requests() - warmup];
        requestNs = costs.eventNs() + scenario.workNs();
        loadThreadsIdle = scenario.loadThreads();
        for (int shard = 0; shard < scenario.shards(); shard++) {
            shards.add(new Shard(shard, scenario, costs, time, cores));
        }
    }

    public static Outcome of(Scenario scenario, Costs costs) {
        return new Simulation(scenario, costs).run();
    }

    private Outcome run() {
        for (int i = 0; i < scenario.connections(); i++) {
            new Connection(shards.get(i % shards.size())).think();
        }
        while (answers < scenario.requests() && time.step()) {
            // all is done in the happenings
        }
        double elapsedNs = time.nowNs() - countedFromNs;
        long promotions = shards.stream().mapToLong(Shard::promotions).sum() - promotionsBefore;
        long takeovers = shards.stream().mapToLong(Shard::takeovers).sum() - takeoversBefore;
        Arrays.sort(latenciesNs);
        return new Outcome(
                latenciesNs.length * 1e9 / elapsedNs,
                percentileUs(50),
                percentileUs(99),
                (double) promotions / latenciesNs.length,
                takeovers * 1e9 / elapsedNs);
    }

    /** The smallest latency that so many of 100 do not exceed. */
    private double percentileUs(int percent) {
        int rank = (int) Math.ceil(latenciesNs.length * percent / 100.0);
        return latenciesNs[rank - 1] / 1e3;
    }

    private void answered(double latencyNs) {
        if (answers >= warmup && answers < scenario.requests()) {
            latenciesNs[answers - warmup] = latencyNs;
        }
        answers++;
        if (answers == warmup) {
            countedFromNs = time.nowNs();
            promotionsBefore = shards.stream().mapToLong(Shard::promotions).sum();
            takeoversBefore = shards.stream().mapToLong(Shard::takeovers).sum();
        }
    }

    private void serveLoad() {
        while (loadThreadsIdle > 0 && !atLoad.isEmpty()) {
            Connection connection = atLoad.poll();
            loadThreadsIdle--;
            loadCores.work(scenario.loadNs(), () -> {
                loadThreadsIdle++;
                connection.done();
                connection.arrive();
                serveLoad();
            });
        }
    }

    private final class Connection implements Shard.Request {
        private final Shard shard;
        private Shard.Worker servedBy;
        private double arrivedNs = Double.NaN;
        private double blocksNs;

        Connection(Shard shard) {
            this.shard = shard;
        }

        /** Until the next request, exponentially distributed; then through the load generator, where there is one. */
        void think() {
            double ns = scenario.thinkNs() == 0 ? 0 : -Math.log(1 - random.nextDouble()) * scenario.thinkNs();
            time.after(ns, () -> {
                if (scenario.loadThreads() == 0) {
                    arrive();
                } else {
                    atLoad.add(this);
                    serveLoad();
                }
            });
        }

        void arrive() {
            arrivedNs = time.nowNs();
            blocksNs = scenario.slowPermille() > 0 && random.nextInt(1_000) < scenario.slowPermille()
                    ? scenario.slowNs()
                    : 0;
            shard.arrive(this);
        }

        @Override
        public double costNs() {
            return requestNs;
        }

        @Override
        public double blocksNs() {
            return blocksNs;
        }

        @Override
        public Shard.Worker servedBy() {
            return servedBy;
        }

        @Override
        public void serveBy(Shard.Worker worker) {
            servedBy = worker;
        }

        @Override
        public void answered() {
            if (scenario.loadThreads() == 0) {
                done();
            }
            think();
        }

        void done() {
            if (!Double.isNaN(arrivedNs)) { // else the first request is still to come
                Simulation.this.answered(time.nowNs() - arrivedNs);
            }
        }
    }
}
