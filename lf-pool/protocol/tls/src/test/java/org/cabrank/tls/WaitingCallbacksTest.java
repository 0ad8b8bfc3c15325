package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks of one connection that wait for replies at the same time, with the peer's end behind them. */
@Timeout(300)
class WaitingCallbacksTest {
    private static final int ROUNDS = 200;
    private static final int THREADS = 5;

    /** Asks for a reply to each byte, and answers with the byte when the reply has come. */
    private static final class Asking implements ConnectionHandler {
        private final CompletableFuture<Reply<String>> first = new CompletableFuture<>();
        private final CompletableFuture<Reply<String>> second = new CompletableFuture<>();
        private final Queue<Asking> opened;

        Asking(Queue<Asking> opened) {
            this.opened = opened;
        }

        @Override
        public void opened(Connection connection) {
            opened.add(this);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            byte name = data.get();
            Reply<String> reply = connection.newReply();
            (name == 'A' ? first : second).complete(reply);
            reply.await(Await.PATIENCE);
            connection.write(ByteBuffer.wrap(new byte[] {name}));
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void endIsReportedBehindTheAnswersOfAll() throws Exception {
        BlockingQueue<Asking> opened = new LinkedBlockingQueue<>();
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .threadsPerShard(THREADS)
                .handler(TestTls.server().build().handlers(() -> new Asking(opened)))
                .start()) {
            for (int round = 0; round < ROUNDS; round++) {
                try (RawTlsClient client =
                        new RawTlsClient(new InetSocketAddress("127.0.0.1", server.port()), RawTlsClient.TLS_1_3)) {
                    client.shake();
                    client.send(
                            client.sealed(RawTlsClient.DATA, "AB".getBytes(StandardCharsets.US_ASCII)),
                            client.sealed(RawTlsClient.ALERT, new byte[] {1, 0}));
                    Asking asking = opened.take();
                    Reply<String> first = get(asking.first);
                    get(asking.second).complete("B");
                    first.complete("A");
                    String text = client.outcome().text();
                    assertTrue(text.equals("AB") || text.equals("BA"), text);
                }
            }
        }
    }
}
