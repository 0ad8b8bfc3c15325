package org.cabrank.bench.rival;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.xnio.Options;

record UndertowServer(Undertow server, InetSocketAddress address, String details) implements RunningServer {

    private static final int WORKERS_PER_CPU = 8;

    static RunningServer start(ServerSettings settings) throws IOException {
        int workers =
                settings.threadsElse(WORKERS_PER_CPU * Runtime.getRuntime().availableProcessors());
        Undertow server = Undertow.builder()
                .addHttpListener(0, ContenderSockets.address().getHostAddress())
                .setIoThreads(1)
                .setWorkerThreads(workers)
                .setDirectBuffers(true)
                .setSocketOption(Options.BACKLOG, ContenderSockets.BACKLOG)
                .setSocketOption(Options.TCP_NODELAY, true)
                .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                .setServerOption(UndertowOptions.ALWAYS_SET_DATE, true)
                .setHandler(new Hello(settings.work()))
                .build();
        try {
            server.start();
        } catch (RuntimeException notStarted) {
            throw new IOException("Undertow did not start: " + notStarted.getMessage(), notStarted);
        }
        return new UndertowServer(
                server,
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress(),
                Frameworks.nameOfJar(Undertow.class) + ", one I/O thread, " + workers + " workers");
    }

    @Override
    public void close() {
        server.stop();
    }

    private record Hello(HandlerWork work) implements HttpHandler {

        private static final ByteBuffer HELLO = direct(Plaintext.BODY);
        private static final ByteBuffer SLOW_HELLO = direct(Plaintext.SLOW_BODY);

        private static ByteBuffer direct(String text) {
            return ByteBuffer.allocateDirect(text.length())
                    .put(text.getBytes(StandardCharsets.US_ASCII))
                    .flip()
                    .asReadOnlyBuffer();
        }

        @Override
        public void handleRequest(HttpServerExchange exchange) {
            if (work.mayBlock() && exchange.isInIoThread()) {
                exchange.dispatch(this);
                return;
            }
            ByteBuffer content = work.perform() ? SLOW_HELLO : HELLO;
            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
            exchange.getResponseSender().send(content.duplicate());
        }
    }
}
