package org.cabrank.bench.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Findings about servers in given states. */
final class ServerFindingsTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final String[] POOL = {
        "Takeovers",
        "Processed",
        "GapsOverLimit",
        "LargestGapNs",
        "HandOvers",
        "HandOverWaitNs",
        "FailedTakeovers",
        "Wakeups",
        "LockWaits",
        "Failures",
        "QueueFull",
        "KernelRetries"
    };
    private static final String[] SHARD = {
        "Detected", "MemoryUsedBytes", "MemoryRefusals", "AcceptFailures", "Refused", "AcceptRatePauses"
    };
    private static final String[] REACTOR = {
        "Connections",
        "ConnectionsLimit",
        "ListenersConnectionsLimit",
        "OverLimit",
        "OutboundBytes",
        "OutboundLimitBytes",
        "OutboundRefusals",
        "UnreadBytes",
        "UnreadLimitBytes",
        "UnreadRefusals"
    };

    private final Map<String, Object> pool = zeros(POOL);
    private final Map<String, Object> poolBefore = new HashMap<>();
    private final Map<String, Object> shard = zeros(SHARD);
    private final Map<String, Object> shardBefore = new HashMap<>();
    private final Map<String, Object> quietShard = zeros(SHARD);
    private final Map<String, Object> secondShard = new HashMap<>();
    private final Map<String, Object> reactor = zeros(REACTOR);
    private final Map<String, Object> reactorBefore = new HashMap<>();
    private final Map<String, Object> tls =
            zeros("HandshakesBegun", "HandshakesFailed", "HandshakesTimedOut", "HandshakesDeferred");
    private final Map<String, Object> tlsBefore = new HashMap<>();
    private PoolOccupation occupation = new PoolOccupation("echo-s0", 50, 0, List.of());

    ServerFindingsTest() {
        pool.put("Name", "echo-s0");
        pool.put("Live", true);
        pool.put("LivenessProblems", new String[0]);
        pool.put("LatencyMeasured", false);
        pool.put("LatencyBuckets", new long[0]);
        pool.put("ThreadsMax", 3);
        pool.put("Promotion", "deferred(2000us)");
        reactor.put("Listeners", new String[] {"127.0.0.1:7000", "127.0.0.1:7001"});
        reactor.put("PausedListeners", new String[0]);
        shard.put("MemoryLimitBytes", 1_000L);
        quietShard.put("MemoryLimitBytes", 1_000L);
    }

    private static Map<String, Object> zeros(String... names) {
        Map<String, Object> zeros = new HashMap<>();
        for (String name : names) {
            zeros.put(name, 0L);
        }
        return zeros;
    }

    private static BeanValues bean(String name, Map<String, Object> base, Map<String, Object> changes) {
        Map<String, Object> values = new HashMap<>(base);
        values.putAll(changes);
        return new BeanValues("org.cabrank:type=" + name, values);
    }

    private static ServerBeans beans(
            long atNs, BeanValues pool, List<BeanValues> shards, BeanValues reactor, BeanValues tls) {
        return new ServerBeans(atNs, List.of(pool), shards, List.of(reactor), List.of(tls));
    }

    private Finding find(String id) {
        Map<String, Object> none = Map.of();
        ServerBeans before = beans(
                0,
                bean("Pool,name=echo,shard=0", pool, poolBefore),
                List.of(
                        bean("Shard,name=echo,shard=0", shard, shardBefore),
                        bean("Shard,name=echo,shard=1", quietShard, none)),
                bean("Reactor,name=echo", reactor, reactorBefore),
                bean("Tls,name=echo", tls, tlsBefore));
        ServerBeans after = beans(
                2 * SECOND_NS,
                bean("Pool,name=echo,shard=0", pool, none),
                List.of(
                        bean("Shard,name=echo,shard=0", shard, none),
                        bean("Shard,name=echo,shard=1", quietShard, secondShard)),
                bean("Reactor,name=echo", reactor, none),
                bean("Tls,name=echo", tls, none));
        List<Finding> all = ServerFindings.examine(new Observation(before, after, List.of(occupation)));
        return all.stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void assertFinding(Severity severity, String words, String id) {
        Finding found = find(id);
        assertEquals(severity, found.severity(), found::toString);
        assertTrue(found.finding().contains(words), found::toString);
        assertEquals(severity == Severity.OK, found.remedy().isEmpty(), found::toString);
        assertEquals(severity == Severity.OK, found.effect().isEmpty(), found::toString);
    }

    @Test
    void aServerInGoodOrderHasNothingToChangeButThatLatencyIsNotMeasured() {
        assertFinding(Severity.OK, "every pool is served", "service");
        for (String id : List.of(
                "reactor",
                "handlers",
                "threads",
                "takeovers",
                "gaps",
                "contention",
                "exceptions",
                "queues",
                "kernel-retries",
                "balance",
                "memory",
                "outbound",
                "unread",
                "accepts",
                "connections",
                "accept-rate",
                "listeners",
                "tls-handshakes",
                "tls-waits")) {
            assertFinding(Severity.OK, "", id);
        }
        assertFinding(Severity.NOTE, "not measured", "latency");
    }

    @Test
    void poolThatIsNotServedIsAProblem() {
        pool.put("Live", false);
        pool.put("LivenessProblems", new String[] {"pool echo-s0: handle set 0 is not watched"});
        assertFinding(Severity.PROBLEM, "handle set 0 is not watched", "service");
    }

    @Test
    void failureOfTheReactorIsAProblem() {
        reactor.put("Failure", "java.io.IOException: epoll_wait: EBADF");
        assertFinding(Severity.PROBLEM, "has failed: java.io.IOException: epoll_wait: EBADF", "reactor");
    }

    /** A counter that has grown during the observation is a warning; one that grew before is a note. */
    @ParameterizedTest
    @CsvSource({
        "pool, GapsOverLimit, gaps",
        "pool, Takeovers, takeovers",
        "pool, Failures, exceptions",
        "pool, QueueFull, queues",
        "pool, KernelRetries, kernel-retries",
        "shard, MemoryRefusals, memory",
        "shard, AcceptFailures, accepts",
        "shard, Refused, accepts",
        "shard, AcceptRatePauses, accept-rate",
        "reactor, OutboundRefusals, outbound",
        "reactor, UnreadRefusals, unread",
        "reactor, OverLimit, connections",
        "tls, HandshakesDeferred, tls-waits",
    })
    void countersAreWarningsWhileTheyGrow(String bean, String attribute, String id) {
        Map<String, Object> after = Map.of("pool", pool, "shard", shard, "reactor", reactor, "tls", tls)
                .get(bean);
        Map<String, Object> before = Map.of(
                        "pool", poolBefore, "shard", shardBefore, "reactor", reactorBefore, "tls", tlsBefore)
                .get(bean);
        after.put(attribute, 9L);
        assertFinding(Severity.NOTE, "9 since the start", id);
        before.put(attribute, 2L);
        assertFinding(Severity.WARNING, "7 ", id);
    }

    @Test
    void rareTakeoversAreANote() {
        pool.put("Takeovers", 1L);
        pool.put("Processed", 1_000L);
        poolBefore.put("Takeovers", 0L);
        poolBefore.put("Processed", 0L);
        assertFinding(Severity.NOTE, "after 0.10 % of the events", "takeovers");
    }

    @Test
    void handlersThatBlockAreNamedThoseWithAPlaceFirst() {
        occupation = new PoolOccupation(
                "echo-s0",
                50,
                10,
                List.of(
                        new LongHandler("echo-s0-1", 400_000_000, ""),
                        new LongHandler("echo-s0-2", 300_000_000, "com.example.Query.run(Query.java:7)")));
        assertFinding(
                Severity.WARNING,
                "2 handlers were running in several samples in a row: echo-s0-2 for at least 300ms at"
                        + " com.example.Query.run(Query.java:7); echo-s0-1 for at least 400ms",
                "handlers");
        assertFinding(Severity.OK, "", "threads");
    }

    @Test
    void poolWhoseThreadsAreAllInsideHandlersHasTooFew() {
        occupation = new PoolOccupation("echo-s0", 50, 25, List.of());
        assertFinding(Severity.WARNING, "in 25 of 50 samples every thread of echo-s0", "threads");
        pool.put("ThreadsMax", 1); // has work, and no handler that blocks
        assertFinding(Severity.OK, "", "threads");
    }

    @Test
    void latencyIsThatOfTheObservation() {
        pool.put("LatencyMeasured", true);
        pool.put("LatencyBuckets", buckets(8_000_000, 8_000_000, 1_000));
        poolBefore.put("LatencyBuckets", buckets(8_000_000, 8_000_000));
        assertFinding(Severity.OK, "of 1 events", "latency");
        poolBefore.put("LatencyBuckets", buckets(1_000));
        assertFinding(Severity.WARNING, "p99 8", "latency");
    }

    private static long[] buckets(long... latenciesNs) {
        return LatencyCounters.of(latenciesNs).counts();
    }

    @Test
    void contentionIsThatOfTheObservationWithItsRemedy() {
        pool.put("Processed", 10_000L);
        pool.put("Wakeups", 9_000L);
        assertFinding(Severity.OK, "", "contention");
        poolBefore.put("Processed", 0L);
        poolBefore.put("Wakeups", 0L);
        assertFinding(Severity.WARNING, "echo-s0: 0.90 wake-ups", "contention");
        assertTrue(
                find("contention").remedy().contains("longer gap"),
                find("contention").remedy());
        pool.put("Promotion", "eager");
        assertTrue(
                find("contention").remedy().contains("deferred promotion"),
                find("contention").remedy());
    }

    @Test
    void unevenShardsAreNamed() {
        shard.put("Detected", 10_000L);
        shardBefore.put("Detected", 0L);
        assertFinding(Severity.WARNING, "2 shards has 2.0 times the mean number of events (shard=0)", "balance");
        secondShard.put("Detected", 19_000L);
        assertFinding(Severity.OK, "1.3 times", "balance");
    }

    @Test
    void memoryNearItsBoundIsAWarning() {
        shard.put("MemoryUsedBytes", 850L);
        assertFinding(Severity.WARNING, "Shard name=echo,shard=0 uses 85 % of its bound", "memory");
        reactor.put("Connections", 90L);
        assertFinding(Severity.OK, "", "connections");
        reactor.put("ConnectionsLimit", 100L);
        assertFinding(Severity.WARNING, "uses 90 % of its bound", "connections");
        reactor.put("ListenersConnectionsLimit", 90L);
        assertFinding(Severity.WARNING, "uses 100 % of its bound", "connections");
        reactor.put("ConnectionsLimit", 0L);
        assertFinding(Severity.WARNING, "uses 100 % of its bound", "connections");
    }

    @Test
    void pausedListenersAreNamed() {
        assertFinding(Severity.OK, "2 accept connections", "listeners");
        reactor.put("PausedListeners", new String[] {"127.0.0.1:7001"});
        assertFinding(Severity.WARNING, "paused by the service: 127.0.0.1:7001", "listeners");
    }

    @Test
    void manyHandshakesThatFailAreAWarningAndFewANote() {
        tls.put("HandshakesBegun", 110L);
        tls.put("HandshakesFailed", 9L);
        tls.put("HandshakesTimedOut", 2L);
        assertFinding(
                Severity.NOTE,
                "0 of 0 handshakes failed in 2s, 9 of 110 since the start, 2 of these",
                "tls-handshakes");
        tlsBefore.put("HandshakesBegun", 10L);
        tlsBefore.put("HandshakesFailed", 0L);
        assertFinding(Severity.NOTE, "9 of 100 handshakes failed", "tls-handshakes");
        tls.put("HandshakesFailed", 11L);
        assertFinding(Severity.WARNING, "11 of 100 handshakes failed", "tls-handshakes");
    }

    @Test
    void serverOfAnotherVersionIsNamed() {
        pool.remove("KernelRetries");
        String message = assertThrows(MissingAttributeException.class, () -> find("kernel-retries"))
                .getMessage();
        assertTrue(message.contains("another version of Cabrank"), message);
    }
}
