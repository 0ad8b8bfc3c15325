package org.cabrank.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.cabrank.affinity.limits.LimitsReader;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementKeeper;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.StreamServer;

public final class PlacedEchoService {
    public static void main(String[] args) throws Exception {
        Kernel kernel = Kernels.system();
        Topology topology = new TopologyReader().read();
        PlacementPlan plan = Placement.cores().plan(topology, new LimitsReader(kernel).read(topology), 0, 1, false);
        System.out.print(plan.describe()); // 0 shards: as many as there are cores for
        PlacementKeeper keeper = new PlacementKeeper(plan, topology, kernel, false, System.err::println);
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 7000)
                .shards(plan.shards().size())
                .placement((shard, thread) -> {
                    try {
                        keeper.place(shard, thread);
                    } catch (IOException refused) {
                        throw new UncheckedIOException(refused);
                    }
                })
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        }
    }
}
