package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.bench.text.Durations;

/** The scenarios, in the order in which they run. */
public final class Scenarios {

    public static final String PING_PONG = "ping-pong";
    public static final String SLOW = "slow";
    public static final String BLOCKING = "blocking";
    public static final String HTTP = "http";
    public static final String HTTP_SERVER = "http-server";
    public static final String TLS = "tls";
    public static final String TLS_STORM = "tls-storm";
    public static final String DATAGRAMS = "datagrams";

    private static final String RATE = "rate";
    private static final int SMALL_BYTES = 64;
    private static final int CONNECTIONS = 64;
    private static final int MANY_CONNECTIONS = 4_096;
    private static final int DEPTH = 16;
    private static final int IDLE_CONNECTIONS = 8_000;
    private static final int STREAMS = 8;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CHUNKS = 4;
    private static final int BURST_REQUESTS = 8;
    private static final long BURST_INTERVAL_NS = 10_000_000;
    private static final SlowRequests BLOCKING_EXCHANGES = new SlowRequests(10, 10_000_000);

    private static final int STORM_CONNECTIONS = 200;
    /** Requests per second that all permanent connections of a storm of handshakes send together. */
    private static final int STANDING_RATE = 1_000;

    private static final int HTTP_BYTES = 13;

    private static final List<Scenario> ALL = List.of(
            new Scenario(
                    PING_PONG,
                    Extent.QUICK,
                    "Every connection sends a small request and waits for its answer: the baseline throughput, with one request"
                            + " under way on each connection, from one connection to thousands.",
                    Scenarios::pingPong),
            new Scenario(
                    "pipelined",
                    Extent.FOCUSED,
                    "Sixteen requests under way on each connection: the gain when one read finds several requests.",
                    wishes -> grid(
                            wishes,
                            wishes.connectionsElse(CONNECTIONS),
                            point -> cell(
                                    "pipelined",
                                    point.name() + "x" + DEPTH,
                                    point.label() + " × " + DEPTH,
                                    point.pingPong().withDepth(DEPTH)))),
            new Scenario(
                    "streaming",
                    Extent.STANDARD,
                    "Bulk data both ways on a few connections: copies, buffers and back-pressure instead of requests.",
                    wishes -> grid(
                            wishes.connectionsElse(STREAMS),
                            wishes.sizesElse(CHUNK_BYTES),
                            point -> cell(
                                    "streaming",
                                    point,
                                    LoadTraffic.streaming(point.connections, point.bytes, CHUNKS)))),
            new Scenario(
                    "churn",
                    Extent.FOCUSED,
                    "Every connection connects, asks once and closes: the cost of accepting and closing a connection.",
                    wishes -> grid(
                            wishes,
                            wishes.connectionsElse(CONNECTIONS),
                            point -> cell("churn", point, LoadTraffic.churn(point.connections, point.bytes)))),
            new Scenario(
                    "idle-mass",
                    Extent.STANDARD,
                    "Thousands of connections stand idle beside the active ones: their memory, and whether they slow the"
                            + " active ones down.",
                    wishes -> grid(
                            wishes,
                            wishes.connectionsElse(CONNECTIONS),
                            point -> cell(
                                    "idle-mass",
                                    IDLE_CONNECTIONS + "+" + point.name(),
                                    String.format(Locale.ROOT, "%,d idle, ", IDLE_CONNECTIONS) + point.label(),
                                    point.pingPong().withIdle(IDLE_CONNECTIONS)))),
            new Scenario(
                    SLOW,
                    Extent.QUICK,
                    "A few requests block the thread that handles them. The fast requests show whether they have to wait for the slow ones.",
                    Scenarios::slow),
            new Scenario(
                    "bursts",
                    Extent.STANDARD,
                    "All connections send at the same instant, and pause: the time until the last answer of a burst.",
                    wishes -> grid(
                            wishes,
                            wishes.connectionsElse(CONNECTIONS),
                            point -> cell(
                                    "bursts",
                                    point.name() + "x" + BURST_REQUESTS,
                                    point.label() + ", " + BURST_REQUESTS + " each every "
                                            + Durations.format(BURST_INTERVAL_NS),
                                    LoadTraffic.bursts(
                                            point.connections, point.bytes, BURST_REQUESTS, BURST_INTERVAL_NS)))),
            new Scenario(
                    RATE,
                    Extent.FOCUSED,
                    "Requests come at a fixed rate, whatever the server does: latency as clients see it, far from the"
                            + " limit and nearer to it.",
                    Scenarios::rate),
            new Scenario(
                    HTTP,
                    Extent.FOCUSED,
                    "GETs of the plaintext over HTTP/1.1: the cost of parsing requests and writing answers.",
                    Scenarios::http),
            new Scenario(
                    HTTP_SERVER,
                    null,
                    "Providers of the JDK's com.sun.net.httpserver, with the same handler: the plaintext; and the plaintext while one"
                            + " handler in a hundred blocks for 10 ms: if the fast requests wait behind those.",
                    Scenarios::httpServer,
                    extent -> Contenders.httpServerProviders()),
            new Scenario(
                    BLOCKING,
                    null,
                    "One handler, of which a few requests block for 5 ms: parked, in native code, computing, or at a monitor."
                            + " Requests come at half the rate that each contender can do; latency counts from when each was"
                            + " meant to be sent: if the fast requests wait behind the slow ones.",
                    Scenarios::blocking,
                    extent -> Contenders.blocking()),
            new Scenario(
                    TLS,
                    null,
                    "Ping-pong over TLS: the cost of encryption with the engine of the JDK and with OpenSSL.",
                    Scenarios::tls,
                    extent -> Contenders.overTls()),
            new Scenario(
                    TLS_STORM,
                    null,
                    STORM_CONNECTIONS
                            + " clients connect, make a whole handshake, ask once, close and begin again, beside "
                            + CONNECTIONS + " standing connections with " + STANDING_RATE
                            + " requests/s: if those wait behind the handshakes. Requests/s are the handshakes, latencies those"
                            + " of the standing connections.",
                    Scenarios::tlsStorm,
                    extent -> Contenders.overTls()),
            new Scenario(
                    DATAGRAMS,
                    null,
                    "UDP datagrams that the server sends back, as fast as they come back, and at a fixed rate: what a datagram"
                            + " costs, and how many are lost.",
                    wishes -> DatagramCells.of(
                            wishes.sizesElse(DatagramCells.SIZES.toArray(Integer[]::new)),
                            wishes.connectionsElse(DatagramCells.FLOWS),
                            List.of(75)),
                    extent -> Contenders.forDatagrams()));

    private Scenarios() {}

    public static List<String> names() {
        return ALL.stream().map(Scenario::name).toList();
    }

    /** Scenarios that run by default. */
    public static List<Scenario> of(Extent extent) {
        return ALL.stream()
                .filter(scenario -> scenario.from() != null && scenario.from().compareTo(extent) <= 0)
                .toList();
    }

    public static List<Scenario> named(List<String> names) {
        Set<Scenario> chosen = new LinkedHashSet<>();
        for (String name : names) {
            chosen.add(ALL.stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "there is no scenario '" + name + "': there are " + String.join(", ", names()))));
        }
        return new ArrayList<>(chosen);
    }

    private record Point(int connections, int bytes) {

        String name() {
            return connections + "x" + size("");
        }

        String label() {
            return String.format(Locale.ROOT, "%,d", connections) + " × " + size(" ");
        }

        private String size(String gap) {
            return ByteSizes.format(bytes, gap);
        }

        LoadTraffic pingPong() {
            return LoadTraffic.pingPong(connections, bytes);
        }
    }

    private static List<Cell> pingPong(Wishes wishes) {
        Function<Point, Cell> cell = point -> cell(PING_PONG, point, point.pingPong());
        if (wishes.namesPoints()) {
            return grid(wishes, wishes.connectionsElse(CONNECTIONS), cell);
        }
        return switch (wishes.extent()) {
            case QUICK -> grid(List.of(CONNECTIONS), List.of(SMALL_BYTES), cell);
            case FOCUSED -> grid(List.of(CONNECTIONS, MANY_CONNECTIONS), List.of(SMALL_BYTES), cell);
            case STANDARD -> {
                List<Cell> cells =
                        new ArrayList<>(grid(List.of(1, 8, 64, 512, MANY_CONNECTIONS), List.of(SMALL_BYTES), cell));
                cells.addAll(grid(List.of(CONNECTIONS), List.of(1 << 10, 16 << 10), cell));
                yield cells;
            }
        };
    }

    private static List<Cell> slow(Wishes wishes) {
        List<SlowRequests> each = wishes.slow() != null
                ? List.of(wishes.slow())
                : wishes.fewCells()
                        ? List.of(new SlowRequests(1, 5_000_000))
                        : List.of(new SlowRequests(1, 5_000_000), new SlowRequests(10, 1_000_000));
        List<Cell> cells = new ArrayList<>();
        for (SlowRequests slow : each) {
            String time = Durations.format(slow.timeNs());
            cells.addAll(grid(wishes, wishes.connectionsElse(CONNECTIONS), point -> {
                boolean usual = point.connections == CONNECTIONS && point.bytes == SMALL_BYTES;
                return cell(
                                SLOW,
                                slow.permille() + "permille-" + time + (usual ? "" : "-" + point.name()),
                                slow.permille() + " ‰ × " + time + (usual ? "" : ", " + point.label()),
                                point.pingPong())
                        .withSlow(slow);
            }));
        }
        return cells;
    }

    private static List<Cell> rate(Wishes wishes) {
        List<Integer> shares = wishes.fewCells() ? List.of(50) : List.of(25, 50, 75);
        List<Cell> cells = new ArrayList<>();
        for (int percent : shares) {
            cells.addAll(grid(wishes, wishes.connectionsElse(CONNECTIONS), point -> {
                boolean usual = point.connections == CONNECTIONS && point.bytes == SMALL_BYTES;
                return new Cell(
                        "rate/" + percent + "%" + (usual ? "" : "-" + point.name()),
                        percent + " %" + (usual ? "" : ", " + point.label()),
                        Needs.ECHO,
                        point.pingPong(),
                        percent / 100.0);
            }));
        }
        return cells;
    }

    private static List<Cell> http(Wishes wishes) {
        if (!wishes.sizesBytes().isEmpty()) {
            throw new IllegalArgumentException("the answers of " + HTTP + " have one size: leave out --size");
        }
        return wishes.connectionsElse(CONNECTIONS).stream()
                .map(connections -> http(HTTP + "/" + connections, connections, Needs.HTTP))
                .toList();
    }

    private static List<Cell> httpServer(Wishes wishes) {
        if (!wishes.sizesBytes().isEmpty()) {
            throw new IllegalArgumentException("the answers of " + HTTP_SERVER + " have one size: leave out --size");
        }
        String blocking = BLOCKING_EXCHANGES.permille() + "permille-" + Durations.format(BLOCKING_EXCHANGES.timeNs());
        List<Cell> cells = new ArrayList<>();
        for (int connections : wishes.connectionsElse(CONNECTIONS)) {
            cells.add(http(HTTP_SERVER + "/" + connections, connections, Needs.HTTP));
            Cell slow = http(HTTP_SERVER + "/" + blocking + "-" + connections, connections, Needs.HTTP);
            cells.add(new Cell(
                            slow.id(),
                            slow.label() + ", " + BLOCKING_EXCHANGES.permille() + " ‰ × "
                                    + Durations.format(BLOCKING_EXCHANGES.timeNs()),
                            slow.needs(),
                            slow.traffic(),
                            0)
                    .withSlow(BLOCKING_EXCHANGES));
        }
        return cells;
    }

    private static List<Cell> blocking(Wishes wishes) {
        if (!wishes.sizesBytes().isEmpty()) {
            throw new IllegalArgumentException("the answers of " + BLOCKING + " have one size: leave out --size");
        }
        List<Integer> permilles = wishes.slow() == null
                ? BlockingCells.PERMILLES
                : List.of(wishes.slow().permille());
        long timeNs =
                wishes.slow() == null ? BlockingCells.TIME_NS : wishes.slow().timeNs();
        return wishes.connectionsElse(CONNECTIONS).stream()
                .flatMap(count -> BlockingCells.of(permilles, timeNs, count).stream())
                .toList();
    }

    private static Cell http(String id, int connections, Needs needs) {
        return new Cell(
                id,
                String.format(Locale.ROOT, "%,d × GET", connections),
                needs,
                LoadTraffic.pingPong(connections, HTTP_BYTES),
                0);
    }

    private static List<Cell> tls(Wishes wishes) {
        return grid(
                wishes,
                wishes.connectionsElse(CONNECTIONS),
                point -> new Cell(TLS + "/" + point.name(), point.label(), Needs.ECHO_TLS, point.pingPong(), 0));
    }

    private static List<Cell> tlsStorm(Wishes wishes) {
        return grid(
                wishes,
                wishes.connectionsElse(CONNECTIONS),
                point -> new Cell(
                        TLS_STORM + "/" + STORM_CONNECTIONS + "+" + point.name(),
                        STORM_CONNECTIONS + " reconnect, " + point.label() + " at " + STANDING_RATE + "/s",
                        Needs.ECHO_TLS,
                        point.pingPong().withRate(STANDING_RATE).withReconnecting(STORM_CONNECTIONS),
                        0));
    }

    private static List<Cell> grid(Wishes wishes, List<Integer> connections, Function<Point, Cell> cell) {
        return grid(connections, wishes.sizesElse(SMALL_BYTES), cell);
    }

    private static List<Cell> grid(List<Integer> connections, List<Integer> sizes, Function<Point, Cell> cell) {
        List<Cell> cells = new ArrayList<>();
        for (int bytes : sizes) {
            for (int count : connections) {
                cells.add(cell.apply(new Point(count, bytes)));
            }
        }
        return cells;
    }

    private static Cell cell(String scenario, Point point, LoadTraffic traffic) {
        return cell(scenario, point.name(), point.label(), traffic);
    }

    private static Cell cell(String scenario, String point, String label, LoadTraffic traffic) {
        return new Cell(scenario + "/" + point, label, Needs.ECHO, traffic, 0);
    }
}
