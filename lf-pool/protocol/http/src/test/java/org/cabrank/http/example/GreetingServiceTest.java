package org.cabrank.http.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of the page works with the JDK's client, which asks for an upgrade to h2c. */
@Timeout(300)
class GreetingServiceTest {
    @Test
    void theJdkClientIsServed() throws Exception {
        try (StreamServer server = GreetingService.start(0)) {
            HttpClient client = HttpClient.newHttpClient();
            String base = "http://127.0.0.1:" + server.port();
            HttpRequest hello =
                    HttpRequest.newBuilder(URI.create(base + "/hello")).build();
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        "hello\n", client.send(hello, BodyHandlers.ofString()).body());
            }
            HttpRequest echo = HttpRequest.newBuilder(URI.create(base + "/echo"))
                    .POST(BodyPublishers.ofString("ping"))
                    .build();
            assertEquals("ping", client.send(echo, BodyHandlers.ofString()).body());
            HttpRequest unknown =
                    HttpRequest.newBuilder(URI.create(base + "/unknown")).build();
            assertEquals(404, client.send(unknown, BodyHandlers.ofString()).statusCode());
        }
    }
}
