package org.cabrank.bench.report.target;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;

/** The targets: ratios of medians in one run. Where several of Cabrank's modes ran, the best of them counts. */
public final class Targets {

    private static final String NETTY_EPOLL = "netty-epoll";

    /** One thread that waits, reads, handles and answers: one slow request holds up all further requests. */
    private static final Set<String> SINGLE_LOOPS = Set.of("nio", "netty-nio", NETTY_EPOLL, "netty-iouring");

    private static final int FEW = 8;
    private static final double HALF = 0.5;
    private static final double RATE_TOLERANCE = 0.01;

    private static final Rivals JAVA_PEERS = new Rivals("the best of the Java peers", Targets::isPeer);
    private static final Rivals NETTY = new Rivals("Netty's epoll", info -> NETTY_EPOLL.equals(info.name()));
    private static final Rivals BARE_C =
            new Rivals("the better of the bare C loops", info -> info.kind() == ContenderKind.LIMIT);
    private static final Rivals LOOPS =
            new Rivals("the best of the single loops", info -> SINGLE_LOOPS.contains(info.name()));

    private static final Rivals SPINNING = new Rivals(
            "a mode of Cabrank that spins (--contender cabrank-epoll-spin,cabrank-iouring-spin)",
            info -> info.kind() == ContenderKind.CABRANK && info.name().endsWith("-spin"));

    /** One slow request leaves the other threads to fast ones. */
    private static final Rivals SEVERAL_THREADS = new Rivals(
            "a mode of Cabrank with several threads",
            info -> Set.of("cabrank-epoll-deferred", "cabrank-epoll-eager").contains(info.name()));

    private static final String OPENSSL = "-openssl";

    private static final Rivals JDK_ENGINE = new Rivals(
            "Cabrank",
            info -> info.kind() == ContenderKind.CABRANK && !info.name().endsWith(OPENSSL));
    private static final Rivals OPENSSL_ENGINE = new Rivals(
            "Cabrank with OpenSSL",
            info -> info.kind() == ContenderKind.CABRANK && info.name().endsWith(OPENSSL));
    private static final Rivals NETTY_OPENSSL =
            new Rivals("Netty's epoll with OpenSSL", info -> info.name().equals(NETTY_EPOLL + OPENSSL));

    private static final Rivals JDK_PROVIDER = new Rivals(
            "the JDK's provider",
            info -> info.kind() == ContenderKind.JAVA && info.name().startsWith("jdk-"));

    private static final Rivals ALL_NETTY = new Rivals(
            "the better of Netty's transports",
            info -> isPeer(info) && info.name().startsWith("netty-"));

    private static final List<Contest> CONTESTS = List.of(
            new Contest(
                    "Throughput",
                    "ping-pong and pipelined, 8 connections and more: requests/s at least 1.00 of the best Java peer's",
                    Targets::capacity,
                    Metric.REQUESTS_PER_SECOND,
                    JAVA_PEERS,
                    1.00),
            new Contest(
                    "Work per CPU second",
                    "ping-pong and pipelined, 8 connections and more: requests per CPU second at least 1.10 of Netty"
                            + " epoll's",
                    Targets::capacity,
                    Metric.REQUESTS_PER_CPU_SECOND,
                    NETTY,
                    1.10),
            new Contest(
                    "What the kernel allows",
                    "ping-pong and pipelined, 8 connections and more: requests/s at least 0.97 of the bare C loop's",
                    Targets::capacity,
                    Metric.REQUESTS_PER_SECOND,
                    BARE_C,
                    0.97),
            new Contest(
                    "One connection",
                    "1 connection, spinning: p50 at most 0.45 of blocking Netty epoll's",
                    SPINNING,
                    (scenario, cell) -> scenario.equals("ping-pong") && cell.connections() == 1,
                    Metric.P50_US,
                    NETTY,
                    0.45),
            new Contest(
                    "Half of capacity",
                    "fixed rate at half capacity: p99.9 at or below every Java peer's",
                    (scenario, cell) -> scenario.equals("rate") && Math.abs(cell.rateShare() - HALF) < RATE_TOLERANCE,
                    Metric.P999_US,
                    JAVA_PEERS,
                    1.00),
            new Contest(
                    "Slow handlers, p99",
                    "0.1 % × 5 ms and 1 % × 1 ms: p99 at most 0.25 of every single-loop peer's",
                    Targets::slow,
                    Metric.P99_US,
                    LOOPS,
                    0.25),
            new Contest(
                    "Slow handlers, throughput",
                    "0.1 % × 5 ms and 1 % × 1 ms: requests/s at least 1.30 of every single-loop peer's",
                    Targets::slow,
                    Metric.REQUESTS_PER_SECOND,
                    LOOPS,
                    1.30),
            new Contest(
                    "Blocking handlers, parked",
                    "1 ‰ and 1 % × 5 ms parked, at half of each capacity: p99 of the fast at most 1.10 of the best peer's",
                    SEVERAL_THREADS,
                    (scenario, cell) -> blocking(scenario, cell, "park"),
                    Metric.FAST_P99_US,
                    JAVA_PEERS,
                    1.10),
            new Contest(
                    "Blocking handlers, at a monitor",
                    "1 ‰ and 1 % × 5 ms at a monitor, at half of each capacity: p99 of the fast at most 1.10 of the best peer's",
                    SEVERAL_THREADS,
                    (scenario, cell) -> blocking(scenario, cell, "lock"),
                    Metric.FAST_P99_US,
                    JAVA_PEERS,
                    1.10),
            new Contest(
                    "Blocking handlers, in native code",
                    "1 ‰ and 1 % × 5 ms in native code, at half of each capacity: p99 of the fast at most 0.50 of every peer's",
                    SEVERAL_THREADS,
                    (scenario, cell) -> blocking(scenario, cell, "native"),
                    Metric.FAST_P99_US,
                    JAVA_PEERS,
                    0.50),
            new Contest(
                    "Churn",
                    "connect, one request, close: at least 1.00 of every Java peer's",
                    (scenario, cell) -> scenario.equals("churn"),
                    Metric.REQUESTS_PER_SECOND,
                    JAVA_PEERS,
                    1.00),
            new Contest(
                    "TLS, the JDK's engine",
                    "ping-pong over TLS and https: requests/s at least 1.00 of Netty epoll's",
                    JDK_ENGINE,
                    Targets::tls,
                    Metric.REQUESTS_PER_SECOND,
                    NETTY,
                    1.00),
            new Contest(
                    "TLS, OpenSSL's engine",
                    "ping-pong over TLS and https: requests/s at least 1.00 of Netty epoll's",
                    OPENSSL_ENGINE,
                    Targets::tls,
                    Metric.REQUESTS_PER_SECOND,
                    NETTY_OPENSSL,
                    1.00),
            new Contest(
                    "HttpServer API, the JDK's provider",
                    "handlers that do not block: requests/s at least 2.00 of the JDK's provider with the best of its executors",
                    Targets::httpServer,
                    Metric.REQUESTS_PER_SECOND,
                    JDK_PROVIDER,
                    2.00),
            new Contest(
                    "HttpServer API, all providers",
                    "handlers that do not block: requests/s at least 1.00 of the best provider's",
                    Targets::httpServer,
                    Metric.REQUESTS_PER_SECOND,
                    JAVA_PEERS,
                    1.00),
            new Contest(
                    "Redis clients",
                    "PING, SET and GET by redis-benchmark: requests/s at least 1.00 of Netty epoll's",
                    Targets::resp,
                    Metric.REQUESTS_PER_SECOND,
                    NETTY,
                    1.00),
            new Contest(
                    "Reconnect storm, p99",
                    "standing connections beside a storm of handshakes: p99 at most 0.25 of Netty epoll's",
                    JDK_ENGINE,
                    Targets::storm,
                    Metric.P99_US,
                    NETTY,
                    0.25),
            new Contest(
                    "Reconnect storm, handshakes",
                    "a storm of handshakes: handshakes/s at least 1.00 of Netty epoll's",
                    JDK_ENGINE,
                    Targets::storm,
                    Metric.REQUESTS_PER_SECOND,
                    NETTY,
                    1.00),
            new Contest(
                    "Datagrams",
                    "64 and 1,200 bytes in a closed loop: datagrams/s at least 1.00 of the better of Netty's transports",
                    DatagramLoss::closedLoop,
                    Metric.REQUESTS_PER_SECOND,
                    ALL_NETTY,
                    1.00),
            new Contest(
                    "Datagrams per CPU second",
                    "64 and 1,200 bytes in a closed loop: at least 1.00 of the better of Netty's transports",
                    DatagramLoss::closedLoop,
                    Metric.REQUESTS_PER_CPU_SECOND,
                    ALL_NETTY,
                    1.00),
            new Contest(
                    "Datagrams, what the kernel allows",
                    "64 and 1,200 bytes in a closed loop: datagrams/s at least 0.90 of the bare C loop's",
                    DatagramLoss::closedLoop,
                    Metric.REQUESTS_PER_SECOND,
                    BARE_C,
                    0.90),
            new Contest(
                    "Datagrams per CPU second, what the kernel allows",
                    "64 and 1,200 bytes in a closed loop: at least 0.90 of the bare C loop's",
                    DatagramLoss::closedLoop,
                    Metric.REQUESTS_PER_CPU_SECOND,
                    BARE_C,
                    0.90));

    private static final Target POOL_STRATEGIES = new Target(
            "Pool strategies",
            "Leader/Followers at or above Half-Sync/Half-Reactive in every cell of the grid where work is below 20 µs",
            Double.NaN,
            Target.Outcome.NOT_MEASURED,
            "'cabrank bench pool-strategies' measures it");

    private Targets() {}

    /** Evaluates each target; the outcome is NOT_MEASURED for a target without measurements. */
    public static List<Target> of(
            List<ScenarioInfo> scenarios, List<ContenderInfo> contenders, List<CellResult> cells, RawRuns runs) {
        Standings standings = new Standings(scenarios, contenders, cells);
        return Stream.concat(
                        CONTESTS.stream().map(contest -> contest.target(standings)),
                        Stream.concat(
                                Stream.of(
                                        DatagramLoss.target(standings, runs, ALL_NETTY, BARE_C),
                                        UserCpu.target(standings, Targets::capacity, NETTY.who())),
                                Stream.concat(IdleMass.targets(standings), Stream.of(POOL_STRATEGIES))))
                .toList();
    }

    private static boolean isPeer(ContenderInfo info) {
        return info.kind() == ContenderKind.JAVA;
    }

    private static boolean capacity(String scenario, CellInfo cell) {
        return (scenario.equals("ping-pong") || scenario.equals("pipelined"))
                && cell.connections() >= FEW
                && cell.slowPermille() == 0;
    }

    private static boolean tls(String scenario, CellInfo cell) {
        return scenario.equals("tls");
    }

    private static boolean httpServer(String scenario, CellInfo cell) {
        return scenario.equals("http-server") && cell.slowPermille() == 0;
    }

    private static boolean resp(String scenario, CellInfo cell) {
        return scenario.equals("resp") && cell.sleepBesideNs() == 0;
    }

    private static boolean storm(String scenario, CellInfo cell) {
        return scenario.equals("tls-storm");
    }

    private static boolean blocking(String scenario, CellInfo cell, String way) {
        return scenario.equals("blocking") && way.equals(cell.slowWay()) && cell.quietNs() == 0;
    }

    private static boolean slow(String scenario, CellInfo cell) {
        return scenario.equals("slow");
    }
}
