package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.Pattern;
import picocli.CommandLine.Option;

final class TrafficOptions {

    private static final int STREAMING_CHUNK_BYTES = 64 * 1_024;
    private static final int DEPTH = 16;
    private static final int BURST_REQUESTS = 16;
    private static final Duration BURST_INTERVAL = Duration.ofMillis(100);

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            converter = Converters.Patterns.class,
            description = {
                "What the connections do: ping-pong (each sends its next request when one is answered; the default),"
                        + " streaming (chunks of --size, 65536 if not given, as fast as they come back),"
                        + " churn (connect, one request, close, and again),"
                        + " bursts (all send several requests at the same instant, then pause),"
                        + " random-chunks (random bytes in chunks of random sizes, compared byte by byte)."
            })
    private Pattern pattern;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Requests, or chunks, that a connection may have under way at a time: pipelining"
                    + " (default: ping-pong 1, streaming 16).")
    private Integer depth;

    @Option(
            names = "--idle",
            paramLabel = "N",
            description =
                    "Besides, hold N connections that send nothing after their first answer; at the end each is asked"
                            + " whether it still lives.")
    private Integer idle;

    @Option(
            names = "--burst",
            paramLabel = "N",
            description = "Requests that each connection sends in a burst (default " + BURST_REQUESTS + ").")
    private Integer burst;

    @Option(
            names = "--burst-interval",
            paramLabel = "TIME",
            description = "From one burst to the next (default 100ms); latencies count from the instant of the burst.")
    private Duration burstInterval;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Send N requests per second whatever the server does; latencies count from the time a request"
                    + " was meant to be sent. Without it, each connection sends its next request when the last is"
                    + " answered.")
    private Long rate;

    LoadTraffic traffic(int connections, int sizeBytes, boolean sizeGiven) {
        Pattern wanted = wanted();
        if (wanted == Pattern.RANDOM_CHUNKS && (rate != null || sizeGiven)) {
            throw new IllegalArgumentException(
                    "random chunks choose their own sizes and pace: leave out --size and --rate");
        }
        if (rate != null && rate < 1) {
            throw new IllegalArgumentException("--rate is " + rate + ", expected 1 or more");
        }
        boolean bursts = wanted == Pattern.BURSTS;
        if (!bursts && (burst != null || burstInterval != null)) {
            throw new IllegalArgumentException("--burst and --burst-interval go with --pattern bursts");
        }
        return new LoadTraffic(
                wanted,
                connections,
                size(wanted, sizeBytes, sizeGiven),
                depth(wanted),
                rate == null ? 0 : rate,
                idle == null ? 0 : idle,
                bursts ? or(burst, BURST_REQUESTS) : 0,
                bursts ? (burstInterval == null ? BURST_INTERVAL : burstInterval).toNanos() : 0);
    }

    Long rate() {
        return rate;
    }

    Integer burst() {
        return burst;
    }

    private Pattern wanted() {
        return pattern == null ? Pattern.PING_PONG : pattern;
    }

    private static int size(Pattern pattern, int sizeBytes, boolean sizeGiven) {
        return pattern == Pattern.STREAMING && !sizeGiven ? STREAMING_CHUNK_BYTES : sizeBytes;
    }

    private int depth(Pattern wanted) {
        return or(depth, wanted == Pattern.STREAMING ? DEPTH : 1);
    }

    private static int or(Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }
}
