package org.cabrank.bench.rival;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

record JettyServer(Server server, InetSocketAddress address, String details) implements RunningServer {

    private static final int THREADS_MAX = 200;

    /** Number of threads that serve no requests. There is one acceptor, one selector and one reserved thread. */
    private static final int OWN_THREADS = 3;

    private static final int THREADS_MIN = 8;
    private static final long NEVER = -1;

    static RunningServer start(ServerSettings settings) throws IOException {
        Server server = unstarted(settings);
        server.setHandler(new Hello(settings.work()));
        return started(server);
    }

    /** Returns a server with threads and a connector, but without a handler. */
    static Server unstarted(ServerSettings settings) {
        Server server = new Server(pool(settings));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(true);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(loopback().getHostAddress());
        connector.setPort(0);
        connector.setAcceptQueueSize(ContenderSockets.BACKLOG);
        connector.setIdleTimeout(NEVER);
        server.addConnector(connector);
        return server;
    }

    static RunningServer started(Server server) throws IOException {
        try {
            server.start();
        } catch (Exception notStarted) {
            throw new IOException("Jetty did not start: " + notStarted.getMessage(), notStarted);
        }
        int port = ((NetworkConnector) server.getConnectors()[0]).getLocalPort();
        int threads = ((QueuedThreadPool) server.getThreadPool()).getMaxThreads();
        return new JettyServer(
                server,
                new InetSocketAddress(loopback(), port),
                Frameworks.nameOfJar(Server.class) + ", up to " + threads + " threads");
    }

    static InetAddress loopback() {
        return ContenderSockets.address();
    }

    private static QueuedThreadPool pool(ServerSettings settings) {
        int most = settings.threads() == 0 ? THREADS_MAX : settings.threads() + OWN_THREADS;
        QueuedThreadPool threads = new QueuedThreadPool(most, Math.min(most, THREADS_MIN));
        threads.setName("jetty");
        return threads;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception notEnded) {
            throw new IllegalStateException("Jetty did not stop", notEnded);
        }
    }

    private static final class Hello extends Handler.Abstract {

        private static final HttpField TEXT = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain");
        private static final HttpField LENGTH =
                new PreEncodedHttpField(HttpHeader.CONTENT_LENGTH, String.valueOf(Plaintext.BODY.length()));
        private static final ByteBuffer HELLO = direct(Plaintext.BODY);
        private static final ByteBuffer SLOW_HELLO = direct(Plaintext.SLOW_BODY);

        private final HandlerWork work;

        Hello(HandlerWork work) {
            super(work.mayBlock() ? InvocationType.BLOCKING : InvocationType.NON_BLOCKING);
            this.work = work;
        }

        private static ByteBuffer direct(String text) {
            return ByteBuffer.allocateDirect(text.length())
                    .put(text.getBytes(StandardCharsets.US_ASCII))
                    .flip()
                    .asReadOnlyBuffer();
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            ByteBuffer content = work.perform() ? SLOW_HELLO : HELLO;
            response.getHeaders().put(TEXT).put(LENGTH);
            response.write(true, content.duplicate(), callback);
            return true;
        }
    }
}
