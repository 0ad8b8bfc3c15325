package org.cabrank.bench.report.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.Target.Outcome;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.junit.jupiter.api.Test;

@Once
final class TargetsTest {

    private static final Server NETTY = new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1);

    @Test
    void everyTargetIsNamedAndHasWords() {
        BenchReport report = MadeUp.everything(1).rounds(1, 1).report();
        assertEquals(27, report.targets().size());
        assertTrue(report.targets().stream().noneMatch(target -> target.words().isBlank()));
        assertEquals(
                List.of(
                        "One connection",
                        "Blocking handlers, parked",
                        "Blocking handlers, at a monitor",
                        "Blocking handlers, in native code",
                        "TLS, the JDK's engine",
                        "TLS, OpenSSL's engine",
                        "HttpServer API, the JDK's provider",
                        "HttpServer API, all providers",
                        "Redis clients",
                        "Reconnect storm, p99",
                        "Reconnect storm, handshakes",
                        "Datagrams",
                        "Datagrams per CPU second",
                        "Datagrams, what the kernel allows",
                        "Datagrams per CPU second, what the kernel allows",
                        "Datagrams lost",
                        "Pool strategies"),
                report.targets().stream()
                        .filter(target -> target.outcome() == Outcome.NOT_MEASURED)
                        .map(Target::name)
                        .toList());
    }

    @Test
    void theBestModeAgainstTheBestPeerDecides() {
        Target reached = target(
                "Throughput",
                NETTY,
                new Server("nio", ContenderKind.JAVA, 0.9, 0.6, 1),
                cabrank("slow-mode", 0.7, 0.2),
                cabrank("fast-mode", 1.3, 0.2));
        assertEquals(Outcome.REACHED, reached.outcome(), reached.toString());
        assertEquals(1.3, reached.ratio(), 0.1);
        assertTrue(reached.words().contains("cabrank-fast-mode"), reached.words());
        assertTrue(reached.words().contains("against netty-epoll"), reached.words());
    }

    @Test
    void oneCellThatMissesItIsEnoughAndNamed() {
        Target missed = target("Throughput", NETTY, cabrank("epoll-1", 0.8, 0.2));
        assertEquals(Outcome.MISSED, missed.outcome());
        assertTrue(missed.words().startsWith("missed in 7 of 7 cells"), missed.words());
    }

    /**
     * The mode is chosen by the exact CPU time: the minimum of several sampled figures would select the mode that happened
     * to meet the fewest ticks.
     */
    @Test
    void userCpuIsThatOfTheModeThatTakesLeastCpuTimeInAllCellsTogether() {
        Target target = target("User CPU", NETTY, cabrank("quick", 1.5, 0.5), cabrank("idle-in-user-mode", 0.7, 0.01));
        assertEquals(Outcome.MISSED, target.outcome(), target.words());
        assertTrue(target.words().contains("cabrank-quick, which takes least CPU time"), target.words());
        assertTrue(target.words().contains("timer ticks"), target.words());
    }

    @Test
    void userCpuIsToBeToldByTicks() {
        Target target = target("User CPU", NETTY, cabrank("epoll-1", 1, 0));
        assertEquals(Outcome.NOT_MEASURED, target.outcome(), target.words());
    }

    /** TLS of one engine is compared with TLS of the other engine nowhere. */
    @Test
    void overTlsEnginesAreComparedWithTheirEqualsOnly() {
        List<ScenarioInfo> tls = List.of(new ScenarioInfo(
                "tls", "", List.of(MadeUp.cell("tls/64x64B", "64 × 64 B", LoadTraffic.pingPong(64, 64)))));
        BenchReport report = new MadeUp(
                        1,
                        NETTY,
                        new Server("netty-epoll-openssl", ContenderKind.JAVA, 2, 0.6, 1),
                        cabrank("epoll-1", 1.3, 0.2),
                        cabrank("epoll-1-openssl", 1.6, 0.2))
                .report(tls);
        assertEquals(Outcome.REACHED, named("TLS, the JDK's engine", report).outcome());
        assertEquals(Outcome.MISSED, named("TLS, OpenSSL's engine", report).outcome());
    }

    @Test
    void lessIsBetterWhereTheMetricSaysSo() {
        assertEquals(
                Outcome.REACHED,
                target("User CPU", NETTY, cabrank("epoll-1", 1, 0.2)).outcome());
        assertEquals(
                Outcome.MISSED,
                target("User CPU", NETTY, cabrank("epoll-1", 1, 0.3)).outcome());
    }

    @Test
    void theControlAndTheBareLoopAreNoPeers() {
        Target target = target(
                "Throughput",
                NETTY,
                cabrank("epoll-1", 1.2, 0.2),
                new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 3, 0.6, 1),
                new Server("c-epoll", ContenderKind.LIMIT, 2, 0.1, 1));
        assertEquals(Outcome.REACHED, target.outcome(), target.words());
    }

    @Test
    void whereTheRivalDidNotRunNothingWasMeasured() {
        Target target = target("What the kernel allows", NETTY, cabrank("epoll-1", 1.2, 0.2));
        assertEquals(Outcome.NOT_MEASURED, target.outcome());
        assertTrue(Double.isNaN(target.ratio()));
    }

    @Test
    void onlyAModeThatSpinsCountsForTheOneConnectionOfASpinningServer() {
        Target none = target("One connection", NETTY, cabrank("epoll-1", 5, 0.2));
        assertEquals(Outcome.NOT_MEASURED, none.outcome());
        assertTrue(none.words().contains("cabrank-epoll-spin"), none.words());
        Target missed = target("One connection", NETTY, cabrank("epoll-1", 5, 0.2), cabrank("epoll-spin", 1, 0.2));
        assertEquals(Outcome.MISSED, missed.outcome());
        assertTrue(missed.words().contains("cabrank-epoll-spin with"), missed.words());
        Target reached = target("One connection", NETTY, cabrank("epoll-spin", 5, 0.2));
        assertEquals(Outcome.REACHED, reached.outcome());
    }

    @Test
    void theModeThatTakesMostMemoryDecides() {
        Target target = target("Idle connections, memory", NETTY, cabrank("small", 1, 0.2), cabrank("large", 1, 2));
        assertEquals(Outcome.MISSED, target.outcome());
        assertTrue(target.words().contains("cabrank-large"), target.words());
    }

    @Test
    void idleConnectionsAreComparedWithTheSameCellWithoutThem() {
        Target target = target("Idle connections, throughput", NETTY, cabrank("epoll-1", 1, 0.2));
        assertTrue(target.words().contains("in ping-pong/64x64B without idle connections"), target.words());
        List<ScenarioInfo> alone = MadeUp.scenarios().stream()
                .filter(scenario -> scenario.name().equals("idle-mass"))
                .toList();
        assertEquals(
                Outcome.NOT_MEASURED,
                named("Idle connections, throughput", new MadeUp(1, NETTY, cabrank("a", 1, 1)).report(alone))
                        .outcome());
    }

    @Test
    void datagramsAreComparedWithBothTransportsOfNettyAndTheBareLoop() {
        Server uring = new Server("netty-iouring", ContenderKind.JAVA, 1.2, 0.6, 1);
        Server bare = new Server("c-epoll", ContenderKind.LIMIT, 1.5, 0.1, 1);
        BenchReport report = datagrams(NETTY, uring, bare, cabrank("epoll-1", 1.3, 0.2));
        assertEquals(Outcome.REACHED, named("Datagrams", report).outcome());
        assertEquals(Outcome.REACHED, named("Datagrams per CPU second", report).outcome());
        Target bareLoop = named("Datagrams, what the kernel allows", report);
        assertEquals(Outcome.MISSED, bareLoop.outcome());
        assertEquals(1.3 / 1.5, bareLoop.ratio(), 0.02);
        assertEquals(Outcome.REACHED, named("Datagrams lost", report).outcome());
        BenchReport slow = datagrams(NETTY, uring, bare, cabrank("epoll-1", 0.9, 0.2), cabrank("slow", 0.7, 0.2));
        assertEquals(Outcome.MISSED, named("Datagrams", slow).outcome());
        Target lost = named("Datagrams lost", slow);
        assertEquals(Outcome.MISSED, lost.outcome());
        assertTrue(lost.words().contains("cabrank-epoll-1 lost more than netty-epoll in 8 slices"), lost.words());
    }

    private static BenchReport datagrams(Server... servers) {
        return new MadeUp(7, servers).noise(0.001).answersKept(200).rounds(2, 4).report(MadeUp.datagrams());
    }

    private static Server cabrank(String mode, double speed, double userUs) {
        return new Server("cabrank-" + mode, ContenderKind.CABRANK, speed, userUs, 4);
    }

    private static Target target(String name, Server... servers) {
        return named(
                name,
                new MadeUp(7, servers)
                        .noise(0.001)
                        .answersKept(200)
                        .rounds(2, 1)
                        .report());
    }

    private static Target named(String name, BenchReport report) {
        return report.targets().stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
