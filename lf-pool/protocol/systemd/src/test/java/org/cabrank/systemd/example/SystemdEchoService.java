package org.cabrank.systemd.example;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.stream.StreamServer;
import org.cabrank.systemd.Supervision;
import org.cabrank.systemd.Systemd;

/** Sends back what it gets, on the sockets of its socket unit. */
public final class SystemdEchoService {
    private SystemdEchoService() {}

    /** Runs the service until systemd stops it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Systemd systemd = Systemd.current();
        try (StreamServer server = StreamServer.builder()
                .listen(systemd.descriptors()) // those of ListenStream= in the socket unit
                .drainGrace(Duration.ofMillis(500)) // for requests that are on their way when systemd stops the service
                .drainTimeout(Duration.ofSeconds(10))
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server, systemd))); // SIGTERM
            System.out.println("listening on " + server.localAddress());
            Supervision supervision = systemd.supervise(server.reactor(), "serving"); // READY=1, then the watchdog
            server.awaitTermination();
            supervision.close();
        }
    }

    private static void drain(StreamServer server, Systemd systemd) {
        systemd.notifier().stopping(Duration.ofSeconds(20)); // STOPPING=1, and time for the drain
        server.close();
    }
}
