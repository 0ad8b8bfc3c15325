package org.cabrank.bench.rival.since21;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.http.message.EverySecond;
import org.cabrank.http.message.HttpDate;
import org.glassfish.grizzly.filterchain.Filter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.RequestExecutorProvider;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.ContentType;
import org.glassfish.grizzly.http.util.Header;
import org.glassfish.grizzly.utils.IdleTimeoutFilter;

record GrizzlyHttpServer(HttpServer server, InetSocketAddress address, String details) implements RunningServer {

    private static final int NONE = -1;

    static RunningServer start(ServerSettings settings) throws IOException {
        InetAddress address = ContenderSockets.address();
        NetworkListener listener = new NetworkListener("bench", address.getHostAddress(), 0);
        GrizzlyTransports.configure(listener.getTransport(), settings);
        listener.getKeepAlive().setIdleTimeoutInSeconds(NONE);
        listener.getKeepAlive().setMaxRequestsCount(NONE);
        listener.setTransactionTimeout(NONE);
        listener.getFileCache().setEnabled(false);
        listener.registerAddOn((own, chain) -> {
            remove(chain, FileCacheFilter.class);
            remove(chain, IdleTimeoutFilter.class);
        });
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new Hello(settings.work()), "/");
        server.start();
        return new GrizzlyHttpServer(
                server, new InetSocketAddress(address, listener.getPort()), GrizzlyTransports.details(settings));
    }

    private static void remove(FilterChainBuilder chain, Class<? extends Filter> type) {
        int index = chain.indexOfType(type);
        if (index >= 0) {
            chain.remove(index);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static final class Hello extends HttpHandler {

        private static final ContentType TEXT =
                ContentType.newContentType("text/plain").prepare();
        private static final byte[] HELLO = Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
        private static final byte[] SLOW_HELLO = Plaintext.SLOW_BODY.getBytes(StandardCharsets.US_ASCII);

        private static final EverySecond<String> DATE = new EverySecond<>(HttpDate::format);

        /** The thread that found the event runs the handler. It has already given the selector to another thread. */
        private static final RequestExecutorProvider SAME_THREAD = new RequestExecutorProvider.SameThreadProvider();

        private final HandlerWork work;

        Hello(HandlerWork work) {
            this.work = work;
        }

        @Override
        public void service(Request request, Response response) throws Exception {
            byte[] content = work.perform() ? SLOW_HELLO : HELLO;
            response.setContentType(TEXT);
            response.setContentLength(content.length);
            response.setHeader(Header.Date, DATE.current());
            response.getOutputStream().write(content);
        }

        @Override
        public RequestExecutorProvider getRequestExecutorProvider() {
            return SAME_THREAD;
        }
    }
}
