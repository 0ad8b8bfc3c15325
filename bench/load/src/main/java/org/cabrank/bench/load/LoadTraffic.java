package org.cabrank.bench.load;

import org.cabrank.lf.settings.Settings;

/**
 * Load that is sent to a server. The factories set the values that a pattern does not use.
 *
 * @param connections number of active connections
 * @param sizeBytes size of a request and of its answer. With streaming, the size of a chunk. No effect with random chunks.
 * @param depth maximum number of requests or streamed chunks of one connection under way; 1 with churn, bursts and random chunks
 * @param ratePerSecond requests per second over all connections. Latency counts from the due time of a request. 0 is a closed loop, in
 *     which each answer allows the next request. Bursts and chunks must have 0.
 * @param idleConnections number of additional connections that send one request at the start and one at the end
 * @param burstRequests number of requests that each connection sends in a burst; 0 with other patterns
 * @param burstIntervalNs time in ns between bursts; 0 with other patterns
 * @param reconnecting number of further connections that connect, send one request, close and begin again. If there are any, the result has
 *     the answers and bytes of only these connections, and the latencies of only the active connections.
 * @param http GET request that ping-pong sends, without regard to {@code sizeBytes}; null for bytes that the server echoes
 */
public record LoadTraffic(
        Pattern pattern,
        int connections,
        int sizeBytes,
        int depth,
        long ratePerSecond,
        int idleConnections,
        int burstRequests,
        long burstIntervalNs,
        int reconnecting,
        HttpGet http) {

    public static final int CONNECTIONS_MAX = 65_536;
    public static final int SIZE_BYTES_MAX = 1 << 20;
    public static final int DEPTH_MAX = 1_024;
    public static final long RATE_MAX = 100_000_000;
    public static final long BURST_INTERVAL_NS_MAX = 10_000_000_000L;

    public LoadTraffic {
        within("connections", connections, 1, CONNECTIONS_MAX);
        within("size", sizeBytes, 1, SIZE_BYTES_MAX);
        within("depth", depth, 1, DEPTH_MAX);
        within("rate", ratePerSecond, 0, RATE_MAX);
        within("idle connections", idleConnections, 0, CONNECTIONS_MAX);
        within("reconnecting connections", reconnecting, 0, CONNECTIONS_MAX);
        if (reconnecting > 0 && (pattern != Pattern.PING_PONG || idleConnections > 0)) {
            throw new IllegalArgumentException("reconnecting connections go with ping-pong, without idle connections");
        }
        if (http != null && (pattern != Pattern.PING_PONG || idleConnections > 0 || reconnecting > 0)) {
            throw new IllegalArgumentException("GETs go with ping-pong alone");
        }
        boolean depthMatters = pattern == Pattern.PING_PONG || pattern == Pattern.STREAMING;
        if (depth > 1 && !depthMatters) {
            throw new IllegalArgumentException(
                    "a depth goes with ping-pong and streaming: the other patterns say themselves how many"
                            + " requests are under way");
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

    public LoadTraffic(
            Pattern pattern,
            int connections,
            int sizeBytes,
            int depth,
            long ratePerSecond,
            int idleConnections,
            int burstRequests,
            long burstIntervalNs) {
        this(
                pattern,
                connections,
                sizeBytes,
                depth,
                ratePerSecond,
                idleConnections,
                burstRequests,
                burstIntervalNs,
                0,
                null);
    }

    private static void within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", expected " + least + " to " + most);
        }
    }

    public static LoadTraffic pingPong(int connections, int sizeBytes) {
        return of(Pattern.PING_PONG, connections, sizeBytes);
    }

    public static LoadTraffic streaming(int connections, int chunkBytes, int depth) {
        return of(Pattern.STREAMING, connections, chunkBytes).withDepth(depth);
    }

    public static LoadTraffic randomChunks(int connections) {
        return of(Pattern.RANDOM_CHUNKS, connections, 1);
    }

    public static LoadTraffic churn(int connections, int sizeBytes) {
        return of(Pattern.CHURN, connections, sizeBytes);
    }

    public static LoadTraffic bursts(int connections, int sizeBytes, int requests, long intervalNs) {
        return new LoadTraffic(Pattern.BURSTS, connections, sizeBytes, 1, 0, 0, requests, intervalNs);
    }

    private static LoadTraffic of(Pattern pattern, int connections, int sizeBytes) {
        return new LoadTraffic(pattern, connections, sizeBytes, 1, 0, 0, 0, 0);
    }

    public LoadTraffic withDepth(int requests) {
        return Settings.with(this, "depth", requests);
    }

    public LoadTraffic withConnections(int active) {
        return Settings.with(this, "connections", active);
    }

    public LoadTraffic withRate(long perSecond) {
        return Settings.with(this, "ratePerSecond", perSecond);
    }

    public LoadTraffic withIdle(int idle) {
        return Settings.with(this, "idleConnections", idle);
    }

    public LoadTraffic withHttp(HttpGet get) {
        return Settings.with(this, "http", get);
    }

    public LoadTraffic withReconnecting(int count) {
        return Settings.with(this, "reconnecting", count);
    }

    public int connectionsInAll() {
        return connections + idleConnections + reconnecting;
    }
}
