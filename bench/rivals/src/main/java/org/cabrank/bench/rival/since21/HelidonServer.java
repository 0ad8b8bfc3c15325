package org.cabrank.bench.rival.since21;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.bench.rival.Frameworks;

record HelidonServer(WebServer server, InetSocketAddress address, String details) implements RunningServer {

    static RunningServer start(ServerSettings settings) {
        InetAddress address = ContenderSockets.address();
        WebServer server = WebServer.builder()
                .host(address.getHostAddress())
                .port(0)
                .backlog(ContenderSockets.BACKLOG)
                .shutdownHook(false)
                .connectionOptions(sockets -> sockets.tcpNoDelay(true).readTimeout(Duration.ZERO))
                .addProtocol(Http1Config.builder()
                        .validateRequestHeaders(false)
                        .validatePath(false)
                        .receiveLog(false)
                        .sendLog(false)
                        .build())
                .routing(rules -> rules.any(new Hello(settings.work())))
                .build()
                .start();
        return new HelidonServer(
                server,
                new InetSocketAddress(address, server.port()),
                Frameworks.nameOfJar(WebServer.class) + ", virtual threads, carrier threads: "
                        + Runtime.getRuntime().availableProcessors());
    }

    @Override
    public void close() {
        server.stop();
    }

    private record Hello(HandlerWork work) implements Handler {

        private static final Header TEXT = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
        private static final Header LENGTH =
                HeaderValues.createCached(HeaderNames.CONTENT_LENGTH, String.valueOf(Plaintext.BODY.length()));
        private static final byte[] HELLO = Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
        private static final byte[] SLOW_HELLO = Plaintext.SLOW_BODY.getBytes(StandardCharsets.US_ASCII);

        @Override
        public void handle(ServerRequest request, ServerResponse response) {
            byte[] content = work.perform() ? SLOW_HELLO : HELLO;
            response.header(TEXT);
            response.header(LENGTH);
            response.send(content);
        }
    }
}
