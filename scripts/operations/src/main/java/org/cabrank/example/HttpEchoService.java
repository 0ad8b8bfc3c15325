package org.cabrank.example;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cabrank.framing.Framing;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.micrometer.ListenerMetrics;
import org.cabrank.micrometer.ReactorMetrics;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.systemd.Supervision;
import org.cabrank.systemd.Systemd;

/** Answers each GET with its target. The first socket of the systemd unit takes PROXY headers. The second serves /metrics and /health. */
public final class HttpEchoService {
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES_MAX = 8 << 10;

    /** HAProxy takes at most 0.7 s to notice that the health page answers 503. */
    private static final Duration DRAIN_DELAY = Duration.ofSeconds(1);

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private record Answer(String status, String body) {
        static final Answer NOT_FOUND = new Answer("404 Not Found", "no such page\n");

        static Answer ok(String body) {
            return new Answer("200 OK", body);
        }
    }

    private HttpEchoService() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Systemd systemd = Systemd.current();
        int[] sockets = systemd.descriptors(); // in the order of ListenStream= in the socket unit
        AtomicBoolean leaving = new AtomicBoolean();
        ProxyProtocol proxies = ProxyProtocol.builder().trusted("127.0.0.1").build();
        try (StreamServer server = StreamServer.builder()
                        .listen(sockets[0])
                        .idleTimeout(Duration.ofMinutes(1))
                        .drainGrace(Duration.ofMillis(200)) // for requests that are on their way when the drain begins
                        .drainTimeout(DRAIN_TIMEOUT)
                        .handler(proxies.handlers(handlers(target -> Answer.ok(target + "\n"))))
                        .start();
                StreamServer pages = pages(sockets[1], server, leaving)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server, systemd, leaving))); // SIGTERM
            Supervision supervision = systemd.supervise(server.reactor(), "serving"); // READY=1, then the watchdog
            server.awaitTermination();
            supervision.close();
        }
    }

    private static void drain(StreamServer server, Systemd systemd, AtomicBoolean leaving) {
        systemd.notifier()
                .stopping(DRAIN_DELAY.plus(DRAIN_TIMEOUT).plusSeconds(5)); // STOPPING=1, and time for the drain
        leaving.set(true);
        try {
            Thread.sleep(DRAIN_DELAY.toMillis());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }

    /** Serves the pages on a separate thread, so that they answer while the service is stuck. */
    private static StreamServer pages(int socket, StreamServer server, AtomicBoolean leaving) throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new ReactorMetrics(server.reactor(), List.of()).bindTo(registry);
        new ListenerMetrics(server.listener(), List.of()).bindTo(registry);
        Function<String, Answer> answers = target -> switch (target) {
            case "/metrics" -> Answer.ok(registry.scrape());
            case "/health" -> health(server, leaving.get());
            default -> Answer.NOT_FOUND;
        };
        return StreamServer.builder()
                .name("pages")
                .listen(socket)
                .handler(handlers(answers))
                .start();
    }

    private static Answer health(StreamServer server, boolean leaving) {
        Liveness liveness = server.liveness(Liveness.LIMIT_DEFAULT);
        return !leaving && server.failure() == null && liveness.isLive()
                ? Answer.ok("ok\n")
                : new Answer("503 Service Unavailable", (leaving ? "draining" : liveness) + "\n");
    }

    /** Handles HTTP requests without bodies. The head of a request is a frame. */
    private static Supplier<ConnectionHandler> handlers(Function<String, Answer> answers) {
        Framing heads = Framing.delimited(HEAD_END, HEAD_BYTES_MAX);
        return heads.handlers(() -> (connection, head) -> answer(connection, head, answers));
    }

    private static void answer(Connection connection, ByteBuffer frame, Function<String, Answer> answers) {
        List<String> head =
                StandardCharsets.ISO_8859_1.decode(frame).toString().lines().toList();
        String[] request = head.isEmpty() ? new String[0] : head.get(0).split(" ");
        boolean known = request.length == 3 && request[0].equals("GET");
        boolean last = !known
                || !request[2].equals("HTTP/1.1")
                || connection.isDraining()
                || head.stream().anyMatch(line -> line.equalsIgnoreCase("Connection: close"));
        Answer answer = known ? answers.apply(request[1]) : new Answer("501 Not Implemented", "GET only\n");
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        String answerHead = "HTTP/1.1 " + answer.status() + "\r\nContent-Length: " + body.length + "\r\n"
                + "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n" + (last ? "Connection: close\r\n" : "")
                + "\r\n";
        connection.write(StandardCharsets.US_ASCII.encode(answerHead));
        connection.write(ByteBuffer.wrap(body));
        if (last) {
            connection.close();
        }
    }
}
