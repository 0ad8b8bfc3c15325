package org.cabrank.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.ShardMemory;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small hostile crowd. */
@Timeout(300)
@NewestJdk
final class HostileClientsTest {
    private static final HostileCrowd CROWD = new HostileCrowd(200, 100, 10, 20, 1);
    private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int CONNECTIONS = 4;
    private static final int CONNECTIONS_MAX = 100;
    private static final long SHARD_MEMORY_BYTES = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void wellBehavedClientGetsAllAnswersBesideHostileOnes(String backend) throws Exception {
        try (StreamServer server = start(StreamServer.builder(), backend);
                HostileClients hostile = new HostileClients(address(server), CROWD)) {
            assertTrue(hostile.awaitStanding(PATIENCE_NS), "never-readers are still read from");
            assertAnswered(started(server));
            assertEquals(0, hostile.ended(), "nothing limits them");
            assertTrue(hostile.made() > CROWD.standing(), "none was reset");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void connectionsBeyondTheLimitAreCountedAndCostNobody(String backend) throws Exception {
        try (StreamServer server = start(StreamServer.builder().connectionsMax(CONNECTIONS_MAX), backend)) {
            LoadGenerator client = started(server); // before the crowd takes all places
            try (HostileClients hostile = new HostileClients(address(server), CROWD)) {
                while (server.reactor().counters().overLimit() == 0) {
                    assertTrue(client.run(RUN_NS), "the well-behaved client has been ended");
                }
                assertAnswered(client);
                assertTrue(hostile.made() > CONNECTIONS_MAX, "the crowd never came");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void neverReadersBeyondTheMemoryOfTheShardArePausedAndCostNobody(String backend) throws Exception {
        StreamServer.Builder builder =
                StreamServer.builder().limits(StreamLimits.DEFAULT.withShardMemory(SHARD_MEMORY_BYTES));
        try (StreamServer server = start(builder, backend);
                HostileClients hostile = new HostileClients(address(server), CROWD)) {
            assertTrue(hostile.awaitStanding(PATIENCE_NS), "never-readers are still read from");
            assertAnswered(started(server));
            ShardMemory memory = server.reactor().memory().get(0);
            assertTrue(memory.usedBytes() > SHARD_MEMORY_BYTES / 8, () -> "nothing is queued: " + memory);
            assertEquals(0, memory.refusals(), memory::toString);
            assertEquals(0, hostile.ended(), "some were closed");
        }
    }

    private static StreamServer start(StreamServer.Builder builder, String backend) throws Exception {
        try {
            return builder.listen("127.0.0.1", 0)
                    .backend(Backend.named(backend))
                    .handler(HostileServer::new)
                    .start();
        } catch (BackendUnavailableException unavailable) {
            assumeTrue(false, unavailable.getMessage());
            throw unavailable;
        }
    }

    private static InetSocketAddress address(StreamServer server) {
        return (InetSocketAddress) server.localAddress();
    }

    private static LoadGenerator started(StreamServer server) throws Exception {
        LoadTraffic traffic = LoadTraffic.pingPong(CONNECTIONS, HostileServer.REQUEST_BYTES);
        LoadGenerator client = LoadGenerator.start(
                Kernels.system(), new LoadSettings(address(server), traffic, 1, PATIENCE_NS), () -> {});
        client.awaitConnected();
        client.beginMeasuring();
        return client;
    }

    private static void assertAnswered(LoadGenerator client) throws InterruptedException {
        assertTrue(client.run(RUN_NS), "the well-behaved client has been ended");
        client.endMeasuring();
        LoadResult result = client.finish();
        assertEquals(Map.of(), result.errors());
        assertTrue(result.answers() > 0, "nothing was answered");
    }
}
