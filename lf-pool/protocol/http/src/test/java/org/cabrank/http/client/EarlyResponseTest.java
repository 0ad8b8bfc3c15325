package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.http.ServerModes;
import org.cabrank.http.message.HttpFields;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses of a server that answers and closes before it has taken the body of the request. */
@Timeout(300)
class EarlyResponseTest {
    private static final int UPLOADS = 5;

    /** More than the socket buffers of both sides take. */
    private static final int UPLOAD = 24 << 20;

    private static final class Answer implements HttpResponseHandler {
        private final CompletableFuture<String> text = new CompletableFuture<>();
        private final StringBuilder received = new StringBuilder();

        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {
            received.append(status).append(' ');
        }

        @Override
        public void data(HttpTransfer transfer, ByteBuffer piece) {
            received.append(StandardCharsets.ISO_8859_1.decode(piece));
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            text.complete(received.toString());
        }

        @Override
        public void failed(Throwable cause) {
            text.completeExceptionally(cause);
        }
    }

    private static void answerEarly(ServerSocket listening) {
        try {
            for (int i = 0; i < UPLOADS; i++) {
                try (Socket socket = listening.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream()
                            .write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nless"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void anUploadThatIsRefusedHasItsAnswerAndLeavesNoConnection(ServerModes mode) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, UPLOADS, InetAddress.getLoopbackAddress());
                StreamReactor reactor = StreamReactor.builder()
                        .backend(Backend.named(mode.backend()))
                        .threadsPerShard(mode.threads())
                        .start();
                HttpClient client = HttpClient.over(reactor)) {
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> answerEarly(listening));
            String uri = "http://127.0.0.1:" + listening.getLocalPort() + "/";
            for (int i = 0;
                    i < UPLOADS;
                    i++) { // each on a connection of its own: a connection that was kept would fail
                Answer answer = new Answer();
                client.send(HttpCall.post(uri, "application/octet-stream", new byte[UPLOAD]), answer);
                assertEquals("413 less", answer.text.get(1, TimeUnit.MINUTES));
            }
            server.get(1, TimeUnit.MINUTES);
        }
    }
}
