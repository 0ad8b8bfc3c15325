package org.cabrank.handover.example;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.cabrank.handover.Handover;
import org.cabrank.handover.Predecessor;
import org.cabrank.stream.StreamServer;

/** Sends back what it gets. A second process with the same path takes the place of the first, and no client notices. */
public final class HandoverEchoService {
    private HandoverEchoService() {}

    /** Arguments: the path of the handover, and a port for the first process. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Handover handover = Handover.at(Path.of(arguments[0]));
        StreamServer.Builder service = StreamServer.builder()
                .drainGrace(
                        Duration.ofMillis(500)) // for requests that are on their way when the next process takes over
                .handler(() -> (connection, data) -> connection.write(data));
        try (Predecessor old = handover.predecessor()) { // null: this process is the first
            StreamServer server = old == null
                    ? service.listen("127.0.0.1", Integer.parseInt(arguments[1]))
                            .start()
                    : service.listen(old.takeDescriptors()).start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            if (old != null) {
                old.replace(); // this process accepts: the old one drains and ends
            }
            handover.offer(server.listeners(), server::close);
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        }
    }
}
