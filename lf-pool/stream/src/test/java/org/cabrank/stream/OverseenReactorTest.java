package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.BlockedHandler;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LatencyHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views of a reactor's pools: names, JMX, the watchdog. */
@Timeout(300)
class OverseenReactorTest {
    private static final String WATCHDOG = "cabrank-watchdog";

    private final PostsOnlyBackend backend = new PostsOnlyBackend();

    private StreamReactor.Builder reactor() {
        return StreamReactor.builder().backend(Backend.of(backend)).shards(2).threadsPerShard(2);
    }

    /** Returns the result of {@code task} on a thread of the pool. */
    private String onAThreadOf(StreamReactor reactor, int shard, ThrowingSupplier task)
            throws ExecutionException, InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        backend.shards()
                .get(shard)
                .handleSet()
                .registerVirtual("task", (handle, ready) -> answer.complete(task.get()))
                .post(Ready.POSTED);
        assertFalse(reactor.pools().get(shard).isTerminated());
        return answer.get();
    }

    /** A supplier that may fail. */
    private interface ThrowingSupplier {
        String get() throws IOException;
    }

    private static Set<ObjectName> shown(String name) throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.cabrank:type=Pool,name=" + name + ",*"), null);
    }

    private static Set<Thread> watchdogs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(WATCHDOG))
                .collect(Collectors.toSet());
    }

    @Test
    void threadsAreMadeByTheThreadFactory() throws Exception {
        ClassLoader loader = new ClassLoader() {};
        try (StreamReactor reactor = reactor()
                .threadFactory(task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    thread.setContextClassLoader(loader);
                    return thread;
                })
                .start()) {
            for (int shard = 0; shard < 2; shard++) {
                assertEquals(
                        "cabrank-s" + shard + " true true",
                        onAThreadOf(
                                reactor,
                                shard,
                                () -> Thread.currentThread().getName().substring(0, 10) + " "
                                        + Thread.currentThread().isDaemon() + " "
                                        + (Thread.currentThread().getContextClassLoader() == loader)));
            }
            assertTrue(reactor.liveness(Duration.ofSeconds(10)).isLive());
        }
    }

    @Test
    void threadFactoryThatReturnsNoThreadFailsTheStart() {
        IllegalStateException refused = assertThrows(
                IllegalStateException.class,
                () -> reactor().threadFactory(task -> null).start());
        assertTrue(
                refused.getMessage().contains("the thread factory returned null instead of a thread"),
                refused.getMessage());
    }

    @Test
    void threadsAreNamedAfterPoolShardAndNumber() throws Exception {
        try (StreamReactor reactor = reactor().start()) {
            Set<String> names = new TreeSet<>();
            for (LeaderFollowersPool pool : reactor.pools()) {
                pool.threads().forEach(thread -> names.add(thread.name()));
            }
            assertEquals(Set.of("cabrank-s0-0", "cabrank-s0-1", "cabrank-s1-0", "cabrank-s1-1"), names);
            assertEquals("cabrank-s1", reactor.pools().get(1).config().name());
        }
    }

    @Test
    void kernelShowsTheSameNames() throws Exception {
        try (StreamReactor reactor =
                reactor().name("frontend").shards(11).threadsPerShard(1).start()) {
            String name = onAThreadOf(reactor, 10, () -> Thread.currentThread().getName());
            String comm = onAThreadOf(
                    reactor,
                    10,
                    () -> Files.readString(Path.of("/proc/thread-self/comm")).trim());
            assertEquals("frontend-s10-0", name);
            assertEquals(name, comm);
        }
    }

    @Test
    void jmxShowsEachShardUntilTheReactorIsClosed() throws Exception {
        StreamReactor reactor = reactor().name("shown").jmx(true).start();
        assertEquals(
                Set.of(
                        new ObjectName("org.cabrank:type=Pool,name=shown,shard=0"),
                        new ObjectName("org.cabrank:type=Pool,name=shown,shard=1")),
                shown("shown"));
        reactor.close();
        assertEquals(Set.of(), shown("shown"));
    }

    private static Set<String> histogramsShown(String name) throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.cabrank:type=Latency,name=" + name + ",*"), null)
                .stream()
                .map(shown -> shown.getKeyProperty("histogram"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void histogramsOfTheServiceAreShownBesideThePools() throws Exception {
        LatencyHistogram query = new LatencyHistogram("query");
        StreamReactor reactor =
                reactor().name("measured").jmx(true).histogram(query).start();
        try (reactor) {
            assertSame(query, reactor.histogram("query"));
            LatencyHistogram commit = reactor.histogram("a commit, late");
            assertSame(commit, reactor.histogram("a commit, late"));
            assertEquals(List.of(commit, query), reactor.histograms());
            assertEquals(Set.of("\"a commit, late\"", "query"), histogramsShown("measured"));
            query.record(1_000);
            ObjectName name = new ObjectName("org.cabrank:type=Latency,name=measured,histogram=query");
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            assertEquals(1L, server.getAttribute(name, "Events"));
            long counted = LatencyCounters.of(1_000).percentileNs(100);
            for (String percentile : List.of("P50Ns", "P90Ns", "P99Ns", "P999Ns", "MaxNs")) {
                assertEquals(counted, server.getAttribute(name, percentile), percentile);
            }
            long[] buckets = (long[]) server.getAttribute(name, "Buckets");
            assertEquals(1, buckets[buckets.length - 1]);
            assertEquals(counted, ((long[]) server.getAttribute(name, "BucketEndsNs"))[buckets.length - 1]);
        }
        assertEquals(Set.of(), histogramsShown("measured"));
        reactor.histogram("too late").record(1);
        assertEquals(Set.of(), histogramsShown("measured"));
    }

    @Test
    void histogramsAreBoundedAndNeedDifferentNames() throws Exception {
        try (StreamReactor reactor = reactor().start()) {
            for (int i = 0; i < Histograms.COUNT_MAX; i++) {
                reactor.histogram("h" + i);
            }
            String refused = assertThrows(IllegalStateException.class, () -> reactor.histogram("one more"))
                    .getMessage();
            assertTrue(refused.contains("256 histograms"), refused);
        }
        StreamReactor.Builder one = reactor().histogram(new LatencyHistogram("query"));
        LatencyHistogram other = new LatencyHistogram("query");
        assertThrows(IllegalArgumentException.class, () -> one.histogram(other));
    }

    @Test
    void jmxShowsNothingUnlessAsked() throws Exception {
        try (StreamReactor reactor = reactor().name("hidden").start()) {
            assertEquals(2, reactor.pools().size());
            assertEquals(Set.of(), shown("hidden"));
        }
    }

    @Test
    void watchdogEndsWithTheReactor() throws Exception {
        Set<Thread> before = watchdogs();
        StreamReactor reactor = reactor().watchdog(Duration.ofSeconds(1)).start();
        Set<Thread> own = watchdogs();
        own.removeAll(before);
        assertEquals(1, own.size(), "one for all shards");
        reactor.close();
        assertFalse(own.iterator().next().isAlive());
    }

    @Test
    void watchdogOfTheUserWatchesEveryShard() throws Exception {
        CompletableFuture<BlockedHandler> report = new CompletableFuture<>();
        CountDownLatch leave = new CountDownLatch(1);
        try (StreamReactor reactor = reactor().start();
                Watchdog watchdog = Watchdog.start(Duration.ofMillis(1), report::complete)) {
            reactor.pools().forEach(watchdog::watch);
            backend.shards()
                    .get(1)
                    .handleSet()
                    .registerVirtual("blocked", (handle, ready) -> leave.await())
                    .post(Ready.POSTED);
            assertEquals("cabrank-s1", report.get().pool());
            assertEquals("blocked", report.get().handle());
            leave.countDown();
        }
    }

    @Test
    void reactorThatCannotBeWatchedAsWantedDoesNotStartAndLeavesNothing() throws Exception {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> reactor()
                        .name("refused")
                        .jmx(true)
                        .watchdog(Duration.ZERO)
                        .start());
        assertTrue(refused.getMessage().startsWith("a watchdog's limit must be from 1ms to 1 day"));
        assertEquals(Set.of(), shown("refused"));
        Await.until(
                "its threads have ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("refused")));
    }
}
