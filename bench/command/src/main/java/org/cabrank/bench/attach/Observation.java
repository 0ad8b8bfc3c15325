package org.cabrank.bench.attach;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** An observation of a server between two readings of its beans. There is one occupation for each pool. */
public record Observation(ServerBeans before, ServerBeans after, List<PoolOccupation> occupations) {
    /** Time between samples. Samples do not find handlers that run for a shorter time, but takeovers and latencies show them. */
    private static final long LOOK_NS = 20_000_000;

    private static final int LOOKS_MIN = 4;

    public Observation {
        occupations = List.copyOf(occupations);
    }

    public static Observation of(AttachedServer server, Duration window) throws IOException {
        ServerBeans before = server.read();
        long intervalNs = Math.min(LOOK_NS, window.toNanos() / LOOKS_MIN);
        OccupationSamples samples = new OccupationSamples(server::stack);
        long nowNs = System.nanoTime();
        while (nowNs - before.atNs() < window.toNanos()) {
            samples.sample(nowNs, server::participants);
            LockSupport.parkNanos(intervalNs);
            nowNs = System.nanoTime();
        }
        return new Observation(before, server.read(), samples.occupations());
    }

    long windowNs() {
        return after.atNs() - before.atNs();
    }
}
