package org.cabrank.pinning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Placements in one line, on this machine. */
@Timeout(300)
class RequestedPlacementTest {
    private static final int THREADS = 3;

    private final List<PlannedPlacement> planned = new ArrayList<>();

    /** Sends the shard of the connection and the CPUs of the calling thread, and ends. */
    private static final ConnectionHandler MASKS = (Connection connection, java.nio.ByteBuffer data) -> {
        data.position(data.limit());
        String answer = connection.shard() + " on " + new Affinity(Kernels.system()).current();
        connection.write(StandardCharsets.US_ASCII.encode(answer));
        connection.close();
    };

    private static StreamServer.Builder server() {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .handler(() -> MASKS);
    }

    private static String ask(StreamServer server) throws IOException {
        try (Socket client = new Socket("127.0.0.1", server.port())) {
            client.getOutputStream().write('?');
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void oneLineGivesEachCoreAShardWhoseThreadsArePinned() throws Exception {
        try (StreamServer server = server().placement(
                        RequestedPlacement.of(Placement.CORES).whenPlanned(planned::add))
                .threadsPerShard(THREADS)
                .start()) {
            PlannedPlacement plan = planned.get(0);
            int shards = PlannedPlacement.of(Placement.CORES, 0, THREADS).shards();
            assertEquals(shards, plan.shards());
            assertEquals(shards, server.reactor().pools().size());
            assertEquals(THREADS, plan.plan().threadsPerShard());
            for (int i = 0; i < 10; i++) {
                String answer = ask(server);
                int shard = Integer.parseInt(answer.substring(0, answer.indexOf(' ')));
                CpuList core = plan.plan().shards().get(shard).cpus();
                assertEquals(shard + " on " + core, answer);
                assertEquals(core, CpuList.of(plan.cpus(shard)));
            }
        }
    }

    @Test
    void threadsThatAllShardsShareArePlacedLikeOneShard() throws Exception {
        try (StreamServer server = server().placement(
                        RequestedPlacement.of(Placement.CORES).whenPlanned(planned::add))
                .shards(2)
                .sharedThreads(THREADS)
                .start()) {
            PlannedPlacement plan = planned.get(0);
            assertEquals(1, plan.shards());
            assertEquals(1, server.reactor().pools().size());
            String mask = " on " + plan.plan().shards().get(0).cpus();
            for (int i = 0; i < 5; i++) {
                String answer = ask(server);
                assertTrue(answer.endsWith(mask), answer + ", not" + mask);
            }
        }
    }

    @Test
    void eachReactorHasAPlanOfItsOwn() throws Exception {
        RequestedPlacement any = RequestedPlacement.of(Placement.parse("pack")).whenPlanned(planned::add);
        server().placement(any).shards(1).start().close();
        server().placement(any).shards(1).threadsPerShard(2).start().close();
        assertEquals(2, planned.size());
        assertNotSame(planned.get(0), planned.get(1));
        assertEquals(1, planned.get(0).plan().threadsPerShard());
        assertEquals(2, planned.get(1).plan().threadsPerShard());
        assertEquals("pack", any.toString());
        assertThrows(IllegalStateException.class, () -> any.place(0, 0));
    }

    @Test
    void aStrictPlacementThatIsUnavailableRefusesTheStart() {
        CpuList missing = CpuList.of(8191);
        String refused = assertThrows(
                        PlacementRefusedException.class,
                        server().placement(RequestedPlacement.of(Placement.on(missing))
                                .strict())::start)
                .getMessage();
        assertTrue(refused.contains("8191"), refused);
    }

    @Test
    void aPlanForAnotherSizeIsRefusedWithBothSizesAndTheRemedy() throws Exception {
        PlannedPlacement one = PlannedPlacement.of(Placement.CORES, 1, 1);
        String refused = assertThrows(
                        IllegalArgumentException.class, server().placement(one).threadsPerShard(THREADS)::start)
                .getMessage();
        assertTrue(
                refused.contains(
                        "planned for 1 shard with 1 thread each, but the reactor has 1 shard with 3 threads each"),
                refused);
        assertTrue(refused.contains("RequestedPlacement"), refused);
        assertThrows(IllegalArgumentException.class, server().placement(one).shards(2)::start);
        assertThrows(
                IllegalArgumentException.class,
                server().placement(one).shards(2).sharedThreads(2)::start);
    }
}
