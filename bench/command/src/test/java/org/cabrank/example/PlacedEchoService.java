package org.cabrank.example;

import org.cabrank.affinity.placement.Placement;
import org.cabrank.pinning.PlannedPlacement;
import org.cabrank.stream.StreamServer;

public final class PlacedEchoService {
    public static void main(String[] args) throws Exception {
        PlannedPlacement placement =
                PlannedPlacement.of(Placement.cores(), 0, 1); // as many shards as cores, one thread each
        System.out.print(placement.plan().describe());
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 7000)
                .shards(placement.shards())
                .placement(placement)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        }
    }
}
