package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.fixture.ServerThreads;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.ClientTls;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.pinning.PlannedPlacement;
import org.cabrank.stream.AcceptMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@NewestJdk
@Timeout(300)
final class ContendersTest {

    private static final long RUN_NS = 50_000_000L;

    private static final long ANSWERS_ENOUGH = 20;

    /** A busy machine answers nobody for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    static Stream<String> started() {
        return Servers.plain().map(Contender::name);
    }

    @ParameterizedTest
    @MethodSource("started")
    void slowRequestsAreSlow(String name) throws Exception {
        long slowNs = 5_000_000;
        SlowRequests always = new SlowRequests(1_000, slowNs);
        Protocol protocol = Contenders.named(name).serves(Protocol.ECHO) ? Protocol.ECHO : Protocol.ECHO_TLS;
        ServerSettings settings =
                new ServerSettings(always, 1).withTls(Servers.tls()).withProtocol(protocol);
        LoadResult result = load(name, settings);
        assertEquals(Map.of(), result.errors());
        // The histogram keeps three digits.
        assertTrue(
                result.latencies().getMinValue() > slowNs * 0.99,
                "min " + result.latencies().getMinValue());
    }

    @Test
    void everyContenderSaysWhatWasTuned() {
        for (String name : Contenders.names()) {
            assertTrue(Contenders.named(name).tuning().contains("TCP_NODELAY, backlog 1024"), name);
        }
    }

    @Test
    void settingsTravelAsArguments() {
        ServerSettings settings = new ServerSettings(
                new SlowRequests(3, 77, BlockingWay.LOCK),
                5,
                new ShardSettings(7, AcceptMode.REUSEPORT_CPU),
                PlacementSettings.of(Placement.parse("nic:eth=0")));
        assertEquals(settings, ServerSettings.fromArguments(settings.toArguments()));
        ServerSettings overTls =
                settings.withTls(new LabTls(Path.of("certificates"))).withProtocol(Protocol.HTTPS);
        assertEquals(overTls, ServerSettings.fromArguments(overTls.toArguments()));
        assertThrows(IllegalArgumentException.class, () -> settings.withProtocol(Protocol.HTTPS));
        ServerSettings changing =
                ServerSettings.fromArguments(settings.withSlowSwitch().toArguments());
        assertEquals(SlowRequests.NONE, changing.slowSwitch().now());
        assertSame(changing.slowSwitch(), changing.work().slow(), "the process changes what its handlers do");
        assertThrows(IllegalArgumentException.class, () -> ServerSettings.fromArguments(List.of("bogus=1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cabrank-epoll-shards", "cabrank-iouring-shards"})
    void aContenderHasAsManyShardsAsWanted(String name) throws Exception {
        ShardSettings three = new ShardSettings(3, AcceptMode.DISPATCH);
        try (RunningServer server = Servers.start(name, settings(1, three, PlacementSettings.NONE))) {
            assertTrue(server.details().contains("3 shards (accept dispatch) x 1 thread"), server.details());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"netty-epoll-loops", "netty-iouring-loops"})
    void nettyHasAsManyLoopsAsWanted(String name) throws Exception {
        ShardSettings two = new ShardSettings(2, AcceptMode.DISPATCH);
        try (RunningServer server = Servers.start(name, settings(1, two, PlacementSettings.NONE))) {
            assertTrue(server.details().contains("2 event loops"), server.details());
        }
    }

    private static ServerSettings settings(int threads, ShardSettings shards, PlacementSettings placement) {
        return new ServerSettings(SlowRequests.NONE, threads, shards, placement);
    }

    @Test
    void aContendersThreadsGoWhereThePlacementSays() throws Exception {
        CpuList allowed = new Affinity(Kernels.system()).current();
        CpuList last = CpuList.of(allowed.cpus().max().orElseThrow());
        PlacementSettings placement = PlacementSettings.of(Placement.on(last)).withStrict(true);
        ServerSettings settings = settings(3, ShardSettings.DEFAULT, placement);
        ServerThreads.awaitNone();
        try (RunningServer server = Servers.start("cabrank-epoll-eager", settings)) {
            assertTrue(server.details().endsWith(", placement " + last + " on CPU " + last), server.details());
            assertEquals(Map.of(last.toString(), 3L), ServerThreads.ofThisProcess());
        }
    }

    @Test
    void contenderWithAnUnavailableStrictPlacementIsLeftOut() {
        PlacementSettings placement = PlacementSettings.of(Placement.on(CpuList.of(CpuList.CPUS_MAX - 1)))
                .withStrict(true);
        ServerSettings settings = settings(1, ShardSettings.DEFAULT, placement);
        ContenderUnavailableException refused = assertThrows(
                ContenderUnavailableException.class,
                () -> Contenders.named("cabrank-epoll-1").start(settings));
        assertTrue(refused.getMessage().contains("CPU 8191 does not exist"), refused.getMessage());
    }

    /** The plan was right, and the kernel refuses it when the server starts. */
    @Test
    void contenderIsLeftOutIfThreadsCannotBePinned() throws Exception {
        Kernel refusing = new ForwardingKernel(Kernels.system()) {
            @Override
            public int schedSetaffinity(int tid, int bytes, long mask) {
                return -Errno.EPERM;
            }
        };
        CpuList first = CpuList.of(new Affinity(refusing).current().cpus().min().orElseThrow());
        PlannedPlacement planned = PlannedPlacement.of(
                PlacementSettings.of(Placement.on(first)).withStrict(true),
                refusing,
                MachineSnapshot.ofThisMachine(refusing),
                1,
                1);
        RuntimeException refused = assertThrows(RuntimeException.class, () -> planned.place(0, 0));
        for (RuntimeException notStarted :
                List.of(refused, new IllegalStateException("a pool could not start", refused))) {
            String words = CabrankContender.unavailable(notStarted).getMessage();
            assertTrue(words.startsWith("thread 0 of shard 0: cannot pin this thread to CPU " + first), words);
        }
        IllegalStateException other = new IllegalStateException("the reactor is closed");
        assertSame(other, assertThrows(IllegalStateException.class, () -> CabrankContender.unavailable(other)));
    }

    @Test
    void descriptionOfAContenderBecomesOneLine() {
        assertEquals(
                "owner ring; setup: A B; lacks: C", ContenderProcess.oneLine("owner ring\n setup: A B\r\nlacks: C\n"));
    }

    @Test
    void aNameThatIsGivenTwiceRunsOnce() {
        assertEquals(1, Contenders.named(List.of("nio", "nio")).size());
    }

    /** Until requests have been answered in a measured interval: a busy machine answers nobody for a while. */
    private static LoadResult load(String name, ServerSettings server) throws Exception {
        try (RunningServer running = Servers.start(name, server)) {
            ClientTls tls = server.protocol().overTls()
                    ? ClientTls.of(
                            server.tls().clientContext(),
                            "localhost",
                            running.address().getPort(),
                            true)
                    : null;
            LoadSettings settings =
                    new LoadSettings(running.address(), LoadTraffic.pingPong(4, 64), 1, PATIENCE_NS, tls);
            LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
            generator.awaitConnected();
            boolean goesOn;
            long before;
            long runNs = RUN_NS;
            do {
                before = generator.beginMeasuring();
                goesOn = generator.run(runNs);
                runNs *= 2;
            } while (generator.endMeasuring() - before < ANSWERS_ENOUGH && goesOn);
            return generator.finish();
        }
    }
}
