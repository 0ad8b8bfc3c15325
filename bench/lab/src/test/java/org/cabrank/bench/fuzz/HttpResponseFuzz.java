package org.cabrank.bench.fuzz;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpClient;
import org.cabrank.http.client.HttpClientOptions;
import org.cabrank.http.client.HttpResponseHandler;
import org.cabrank.http.client.HttpTransfer;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.ConnectionHandler;

/**
 * Fuzz target: bytes of a server of HTTP, up to the end of its connection. The response must be that of a slow second reader, and the same
 * however the bytes are cut; the handler is notified of its end or its failure once, and the connection stays only if nothing followed.
 * The first four bytes of the input choose the cuts, and the request: HEAD if they are a negative number, else GET.
 */
public final class HttpResponseFuzz {
    private static final int SEED_BYTES = Integer.BYTES;
    private static final int CUTS = 3;
    private static final HttpClientOptions OPTIONS = HttpClientOptions.DEFAULT.withLimits(HttpLimits.DEFAULT);

    private HttpResponseFuzz() {}

    /** For the fuzzer, which finds the method by its name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < SEED_BYTES) {
            return;
        }
        int seed = ByteBuffer.wrap(input, 0, SEED_BYTES).getInt();
        SplittableRandom random = new SplittableRandom(seed);
        boolean head = seed < 0;
        ByteBuffer stream = ByteBuffer.wrap(input, SEED_BYTES, input.length - SEED_BYTES)
                .slice()
                .asReadOnlyBuffer();
        String whole = response(head, List.of(stream.duplicate()));
        String slowly = SlowResponseReader.response(
                StandardCharsets.ISO_8859_1.decode(stream.duplicate()).toString(), head);
        check(whole.equals(slowly), "read as " + whole + ", slowly as " + slowly);
        for (int i = 0; i < CUTS; i++) {
            List<ByteBuffer> pieces = Pieces.of(stream, random, 1 + random.nextInt(1 << 2 * (i + 1)));
            String cutOtherwise = response(head, pieces);
            check(whole.equals(cutOtherwise), "cut otherwise: " + whole + " and " + cutOtherwise);
        }
    }

    /** Notes all that the handler of a request receives. */
    private static final class Received implements HttpResponseHandler {
        private final StringBuilder text = new StringBuilder();
        private final List<String> ends = new ArrayList<>();

        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {
            check(text.length() == 0, "a second head");
            text.append(status).append(' ').append(fields).append(' ');
        }

        @Override
        public void data(HttpTransfer transfer, ByteBuffer bytes) {
            check(ends.isEmpty() && bytes.hasRemaining(), "a piece of no byte, or behind the end");
            text.append(StandardCharsets.ISO_8859_1.decode(bytes));
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            ends.add(text + " " + trailers);
        }

        @Override
        public void failed(Throwable cause) {
            ends.add(SlowResponseReader.FAILED);
        }
    }

    private static String response(boolean head, List<ByteBuffer> pieces) {
        List<ConnectionHandler> connections = new ArrayList<>();
        HttpClient client = HttpClient.over((host, port, handler) -> {
                    connections.add(handler);
                    return new CompletableFuture<>();
                })
                .withOptions(OPTIONS);
        Received received = new Received();
        client.send(HttpCall.of(head ? "HEAD" : "GET", URI.create("http://a/")), received);
        boolean stays = new DrivenConnection(connections.get(0)).receiveToEnd(pieces);
        check(received.ends.size() == 1, "ended " + received.ends.size() + " times: " + received.ends);
        check(connections.size() == 1 && client.connections() == 0, "connections are left");
        String end = received.ends.get(0);
        return end.equals(SlowResponseReader.FAILED) ? end : end + " " + stays;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
