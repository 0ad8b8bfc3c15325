package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Instant;
import org.cabrank.tls.SelfSigned;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jersey's container for the JDK's server, unchanged, which the JDK gives this provider. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class JerseyTest {
    /** A resource of a service. */
    @Path("birds")
    public static class Birds {
        @GET
        @Path("{name}")
        public String name(@PathParam("name") String name, @Context SecurityContext security) {
            return name + (security.isSecure() ? " over TLS" : "");
        }

        @POST
        public Response count(String body) {
            return Response.status(201).header("X-Length", body.length()).build();
        }
    }

    private static ResourceConfig birds() {
        return new ResourceConfig(Birds.class);
    }

    private static Socket connect(HttpServer server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
    }

    @Test
    void resourcesAreServed() throws Exception {
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://localhost:0/api/"), birds());
        try (RawClient client = new RawClient(connect(server))) {
            assertTrue(server.getAddress() instanceof InetSocketAddress);
            assertEquals("wren", client.get("/api/birds/wren").answer().body());
            client.send(
                    "POST /api/birds HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n");
            client.send("x".repeat(100_000));
            RawClient.Answer created = client.answer();
            assertEquals(201, created.status());
            assertEquals("100000", created.fields().get("x-length"));
            assertEquals(404, client.get("/api/none").answer().status());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void resourcesAreServedOverTls() throws Exception {
        Instant now = Instant.now();
        SelfSigned certificate = SelfSigned.of(now.minusSeconds(60), now.plusSeconds(3_600), "localhost");
        HttpServer server = JdkHttpServerFactory.createHttpServer(
                URI.create("https://localhost:0/api/"), birds(), certificate.context());
        try {
            Socket raw = connect(server);
            try (RawClient client = new RawClient(SelfSigned.trusting(certificate.certificate())
                    .getSocketFactory()
                    .createSocket(raw, "localhost", raw.getPort(), true))) {
                assertEquals(
                        "wren over TLS", client.get("/api/birds/wren").answer().body());
            }
        } finally {
            server.stop(0);
        }
    }
}
