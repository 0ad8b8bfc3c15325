package org.cabrank.example;

import org.cabrank.stream.StreamServer;

public final class EchoService {
    public static void main(String[] args) throws Exception {
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 7000)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        }
    }
}
