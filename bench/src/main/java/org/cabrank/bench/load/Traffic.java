package org.cabrank.bench.load;

/**
 * What a server is loaded with. Made by one of the factories, which choose what does not matter for a pattern, and changed
 * by the {@code with} methods.
 *
 * @param pattern what the connections do
 * @param connections how many do it
 * @param sizeBytes size of a request and of its answer; of a chunk when streaming; of the smallest connections' requests
 *     in a fan-in; without effect with random chunks
 * @param depth requests that a connection may have under way at a time; chunks when streaming; 1 where the pattern says how
 *     many: churn, bursts, random chunks
 * @param ratePerSecond requests sent per second over all connections, whatever the server does: latency counts from the time
 *     a request was meant to be sent. 0 for a closed loop, in which an answer makes room for the next request. 0 for bursts,
 *     which have their own pace, and where nothing is asked
 * @param idleConnections how many connections stand besides, send nothing after their first answer, and are asked at the end
 *     whether they still live
 * @param burstRequests requests that each connection sends in a burst; 0 with other patterns
 * @param burstIntervalNs from the instant of a burst to that of the next; 0 with other patterns
 * @param seed of what is random: which connections of a fan-in are the busy ones, sizes of random chunks
 */
public record Traffic(
        Pattern pattern,
        int connections,
        int sizeBytes,
        int depth,
        long ratePerSecond,
        int idleConnections,
        int burstRequests,
        long burstIntervalNs,
        long seed) {

    public static final int CONNECTIONS_MAX = 65_536;
    public static final int SIZE_BYTES_MAX = 1 << 20;
    public static final int DEPTH_MAX = 1_024;
    public static final long RATE_MAX = 100_000_000;
    public static final long BURST_INTERVAL_NS_MAX = 10_000_000_000L;

    /** @throws IllegalArgumentException with words that say what is expected */
    public Traffic {
        within("connections", connections, 1, CONNECTIONS_MAX);
        within("size", sizeBytes, 1, SIZE_BYTES_MAX);
        within("depth", depth, 1, DEPTH_MAX);
        within("rate", ratePerSecond, 0, RATE_MAX);
        within("idle connections", idleConnections, 0, CONNECTIONS_MAX);
        boolean depthMatters =
                pattern == Pattern.PING_PONG || pattern == Pattern.STREAMING || pattern == Pattern.FAN_IN;
        if (depth > 1 && !depthMatters) {
            throw new IllegalArgumentException(
                    "a depth goes with ping-pong, streaming and fan-in: the other patterns say themselves how many"
                            + " requests are under way");
        }
        if (pattern == Pattern.FAN_IN) {
            within("the smallest size of a fan-in", sizeBytes, 1, SIZE_BYTES_MAX >> FanIn.SIZES - 1);
        }
        if (pattern == Pattern.BURSTS) {
            within("requests in a burst", burstRequests, 1, DEPTH_MAX);
            within("interval of bursts in ns", burstIntervalNs, 1, BURST_INTERVAL_NS_MAX);
        } else if (burstRequests != 0 || burstIntervalNs != 0) {
            throw new IllegalArgumentException("requests in a burst and their interval go with bursts only");
        }
        if (ratePerSecond > 0 && pattern == Pattern.BURSTS) {
            throw new IllegalArgumentException(
                    "bursts have a rate of their own: connections times requests in a burst, each interval");
        }
        if (ratePerSecond > 0 && !pattern.asks()) {
            throw new IllegalArgumentException(
                    "a rate goes with requests and answers: chunks are sent as they come back");
        }
    }

    private static void within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", expected " + least + " to " + most);
        }
    }

    /** One request of each connection under way, in a closed loop. */
    public static Traffic pingPong(int connections, int sizeBytes) {
        return of(Pattern.PING_PONG, connections, sizeBytes);
    }

    /** {@code depth} chunks of {@code chunkBytes} under way on each connection. */
    public static Traffic streaming(int connections, int chunkBytes, int depth) {
        return of(Pattern.STREAMING, connections, chunkBytes).withDepth(depth);
    }

    public static Traffic randomChunks(int connections) {
        return of(Pattern.RANDOM_CHUNKS, connections, 1);
    }

    /** At any time {@code connections} connections, each for one request. */
    public static Traffic churn(int connections, int sizeBytes) {
        return of(Pattern.CHURN, connections, sizeBytes);
    }

    /** On each connection {@code requests} requests at once, every {@code intervalNs}. */
    public static Traffic bursts(int connections, int sizeBytes, int requests, long intervalNs) {
        return new Traffic(Pattern.BURSTS, connections, sizeBytes, 1, 0, 0, requests, intervalNs, 0);
    }

    /** Unequal connections in a closed loop, with up to {@code depth} requests under way on one. */
    public static Traffic fanIn(int connections, int sizeBytes, int depth, long seed) {
        return new Traffic(Pattern.FAN_IN, connections, sizeBytes, depth, 0, 0, 0, 0, seed);
    }

    private static Traffic of(Pattern pattern, int connections, int sizeBytes) {
        return new Traffic(pattern, connections, sizeBytes, 1, 0, 0, 0, 0, 0);
    }

    public Traffic withDepth(int requests) {
        return new Traffic(
                pattern,
                connections,
                sizeBytes,
                requests,
                ratePerSecond,
                idleConnections,
                burstRequests,
                burstIntervalNs,
                seed);
    }

    public Traffic withConnections(int active) {
        return new Traffic(
                pattern,
                active,
                sizeBytes,
                depth,
                ratePerSecond,
                idleConnections,
                burstRequests,
                burstIntervalNs,
                seed);
    }

    /** 0: a closed loop. */
    public Traffic withRate(long perSecond) {
        return new Traffic(
                pattern,
                connections,
                sizeBytes,
                depth,
                perSecond,
                idleConnections,
                burstRequests,
                burstIntervalNs,
                seed);
    }

    public Traffic withIdle(int idle) {
        return new Traffic(
                pattern, connections, sizeBytes, depth, ratePerSecond, idle, burstRequests, burstIntervalNs, seed);
    }

    /** The active connections and the idle ones. */
    public int connectionsInAll() {
        return connections + idleConnections;
    }
}
