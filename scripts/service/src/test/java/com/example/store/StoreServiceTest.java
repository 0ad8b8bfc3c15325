package com.example.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.cabrank.framing.FrameException;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.Test;

/** The frames without a socket, byte by byte, and the whole service over TLS. */
class StoreServiceTest {
    private static byte[] frame(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(4 + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private static EmbeddedConnection connection() {
        Map<String, String> entries = new HashMap<>();
        return EmbeddedConnection.open(StoreService.FRAMING.handler(
                (connection, frame) -> StoreService.FRAMING.write(connection, StoreService.answer(entries, frame))));
    }

    @Test
    void aFrameThatComesByteByByteIsAnswered() {
        try (EmbeddedConnection connection = connection()) {
            for (byte one : frame("put a 1")) {
                connection.peerSends(ByteBuffer.wrap(new byte[] {one}));
            }
            assertEquals(ByteBuffer.wrap(frame("done")), connection.peerReceivesBytes());
            connection.peerSends(ByteBuffer.wrap(frame("get a")));
            assertEquals(ByteBuffer.wrap(frame("value 1")), connection.peerReceivesBytes());
        }
    }

    @Test
    void aFrameThatIsTooLongEndsTheConnection() {
        try (EmbeddedConnection connection = connection()) {
            connection.peerSends(ByteBuffer.allocate(4).putInt(1 << 20).flip());
            assertTrue(connection.isClosed());
            assertTrue(connection.closeCause() instanceof FrameException);
        }
    }

    private static String ask(DataOutputStream out, DataInputStream in, String request) throws IOException {
        out.write(frame(request));
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static HttpResponse<String> page(StoreService service, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + service.pages.port() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    void theServiceAnswersOverTlsShowsItsStateAndDrains() throws Exception {
        Instant now = Instant.now();
        SelfSigned certificate = SelfSigned.of(now.minusSeconds(60), now.plusSeconds(3_600), "localhost");
        try (StoreService service = new StoreService("127.0.0.1", 0, 0, certificate.context());
                Socket client = SelfSigned.trusting(certificate.certificate())
                        .getSocketFactory()
                        .createSocket("127.0.0.1", service.store.port())) {
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals("value ", ask(out, in, "get a"));
            assertEquals("done", ask(out, in, "put a b c"));
            assertEquals("value b c", ask(out, in, "get a"));
            assertEquals(200, page(service, "/health").statusCode());
            assertTrue(page(service, "/metrics").body().contains("cabrank_listener_accepted"));
            service.drain(0);
            assertEquals(-1, in.read()); // a close_notify, because the drain was in order
            assertEquals(503, page(service, "/health").statusCode());
        }
    }
}
