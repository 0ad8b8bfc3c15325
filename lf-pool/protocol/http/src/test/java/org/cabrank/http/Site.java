package org.cabrank.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpClient;
import org.cabrank.http.client.HttpClientOptions;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;

/** A service at a port, plain or by TLS, and a client of it on the same threads. */
public final class Site implements AutoCloseable {
    /** A way to run a site. */
    public record Mode(ServerModes server, boolean secure) {
        public static Stream<Mode> all() {
            return ServerModes.all().flatMap(mode -> Stream.of(false, true).map(secure -> new Mode(mode, secure)));
        }

        @Override
        public String toString() {
            return server + (secure ? " TLS" : "");
        }
    }

    private final StreamReactor reactor;
    private final SSLContext trusting;
    private final int port;
    private final HttpClient client;

    private Site(StreamReactor reactor, SSLContext trusting, int port, HttpClientOptions options) throws IOException {
        this.reactor = reactor;
        this.trusting = trusting;
        this.port = port;
        client = Http.client(reactor)
                .withOptions(options)
                .withSecure((host, at, handler) -> Tls.client(trusting, host, at)
                        .build()
                        .connect(reactor, new InetSocketAddress(host, at), ConnectOptions.DEFAULT, handler));
    }

    public static Site start(Mode mode, HttpHandler handler) throws Exception {
        return start(mode, Http.server(handler), HttpClientOptions.DEFAULT);
    }

    public static Site start(Mode mode, HttpService service, HttpClientOptions options) throws Exception {
        StreamReactor reactor = StreamReactor.builder()
                .backend(Backend.named(mode.server().backend()))
                .threadsPerShard(mode.server().threads())
                .start();
        boolean started = false;
        try {
            SSLContext trusting = null;
            var handlers = (java.util.function.Supplier<org.cabrank.stream.ConnectionHandler>) service;
            if (mode.secure()) {
                SelfSigned identity = SelfSigned.of(
                        Instant.now().minusSeconds(60), Instant.now().plusSeconds(3_600), "localhost");
                trusting = SelfSigned.trusting(identity.certificate());
                handlers = Tls.server(identity.context()).build().handlers(service);
            }
            var listener = reactor.listen(new InetSocketAddress("localhost", 0), ListenOptions.DEFAULT, handlers);
            Site site = new Site(reactor, trusting, ((InetSocketAddress) listener.address()).getPort(), options);
            started = true;
            return site;
        } finally {
            if (!started) {
                reactor.close();
            }
        }
    }

    public HttpClient client() {
        return client;
    }

    public String uri() {
        return (trusting == null ? "http" : "https") + "://localhost:" + port;
    }

    public HttpCall get() {
        return HttpCall.get(uri());
    }

    /** Returns a connection of a client that is no part of this project. */
    public Socket connect() throws IOException {
        if (trusting == null) {
            return new Socket("localhost", port);
        }
        SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("localhost", port);
        socket.startHandshake();
        return socket;
    }

    @Override
    public void close() {
        client.close();
        reactor.close();
    }
}
