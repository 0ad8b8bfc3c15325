package org.cabrank.tls.example;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;

/** Sends back what it gets, over TLS. */
public final class TlsEchoService {
    private TlsEchoService() {}

    /** Starts the service. The caller closes it. */
    public static StreamServer start(int port, SelfSigned certificate) throws IOException, GeneralSecurityException {
        Tls tls = Tls.server(certificate.context()).applicationProtocols("echo").build();
        return StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(tls.handlers(() -> (connection, data) -> connection.write(data)))
                .start();
    }

    /** Runs the service on port 7443 until it is stopped. */
    public static void main(String[] arguments) throws Exception {
        Instant now = Instant.now();
        try (StreamServer server = start(7443, SelfSigned.of(now, now.plusSeconds(86_400), "localhost"))) {
            server.awaitTermination();
        }
    }
}
