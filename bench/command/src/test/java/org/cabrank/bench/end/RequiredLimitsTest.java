package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.cabrank.bench.fixture.Once;
import org.cabrank.framing.FrameHandler;
import org.cabrank.framing.Framing;
import org.cabrank.http.Http;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.Test;

/** Bounds of protocols that do not fit into the limits of connections are found when a listener starts, not by its first client. */
@Once
class RequiredLimitsTest {
    private static final int KEPT = 2 << 10;
    private static final FrameHandler IGNORING = (connection, frame) -> {};

    private static StreamServer serve(Supplier<ConnectionHandler> handlers) throws IOException {
        return StreamServer.builder()
                .backend(Backend.named("epoll"))
                .limits(StreamLimits.DEFAULT.withUnreadLimit(KEPT))
                .listen("127.0.0.1", 0)
                .handler(handlers)
                .start();
    }

    private static void assertRefused(String message, Supplier<ConnectionHandler> handlers) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> serve(handlers));
        assertTrue(refused.getMessage().startsWith(message), refused::getMessage);
        assertTrue(refused.getMessage().contains("raise StreamLimits.unreadLimit"), refused::getMessage);
    }

    private static Supplier<ConnectionHandler> lines(int bytesMax) {
        return Framing.lines(bytesMax).handlers(() -> IGNORING);
    }

    @Test
    void boundAboveTheUnreadLimitIsRefused() throws Exception {
        ProxyProtocol proxies =
                ProxyProtocol.builder().trusted("127.0.0.1").headerMax(KEPT + 1).build();
        ProxyProtocol fitting =
                ProxyProtocol.builder().trusted("127.0.0.1").headerMax(KEPT).build();
        Tls tls = Tls.server(SSLContext.getDefault()).build();
        assertRefused("frames of up to 2049 bytes", lines(KEPT + 1));
        assertRefused("frames of up to 2049 bytes", tls.handlers(lines(KEPT + 1)));
        assertRefused("frames of up to 2049 bytes", fitting.handlers(lines(KEPT + 1)));
        assertRefused("headers of up to 2049 bytes", proxies.handlers(lines(KEPT)));
        assertRefused(
                "heads of up to 2048 bytes",
                Http.server(exchange -> {}).withLimits(HttpLimits.DEFAULT.withHeadBytes(KEPT)));
    }

    @Test
    void boundOfTheUnreadLimitIsServed() throws Exception {
        for (Supplier<ConnectionHandler> handlers : List.of(
                lines(KEPT), Http.server(exchange -> {}).withLimits(HttpLimits.DEFAULT.withHeadBytes(KEPT - 1)))) {
            try (StreamServer server = serve(handlers)) {
                assertEquals(1, server.listeners().size());
            }
        }
        assertEquals(StreamLimits.DEFAULT.unreadLimit(), Framing.BYTES_MAX_DEFAULT);
    }
}
