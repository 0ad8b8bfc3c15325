package org.cabrank.example;

import org.cabrank.affinity.placement.Placement;
import org.cabrank.pinning.RequestedPlacement;
import org.cabrank.stream.StreamServer;

public final class PlacedEchoService {
    public static void main(String[] args) throws Exception {
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 7000)
                .placement(RequestedPlacement.of(Placement.CORES) // as many shards as cores
                        .whenPlanned(planned -> System.out.print(planned.plan().describe())))
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        }
    }
}
