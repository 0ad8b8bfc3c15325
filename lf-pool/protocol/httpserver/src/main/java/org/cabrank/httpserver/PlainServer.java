package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.cabrank.http.Http;
import org.cabrank.http.HttpService;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;

/**
 * A server for HTTP, from its creation to its end. A {@link SecureServer} is built on it. Any thread may use the server.
 *
 * <pre>
 *   made ── bind ──> bound ── start ──> serving ── stop ──> stopped
 *     └────────────────┴──────── stop ───────────────────────┘
 * </pre>
 */
final class PlainServer extends HttpServer {
    private static final Duration DRAIN_TIME = Duration.ofSeconds(1);

    private final HttpServerSettings settings;
    private final ContextTable contexts = new ContextTable();
    private final ServedExchanges exchanges;

    private UnaryOperator<Supplier<ConnectionHandler>> decorator;

    private boolean started;
    private boolean stopped;
    private BoundSocket socket;

    private volatile InetSocketAddress address;
    private volatile Executor executor;
    private volatile StreamReactor reactor;
    private volatile Listener listener;

    PlainServer(HttpServerSettings settings) {
        requireBackend(settings.backend());
        contexts.setServer(this);
        this.settings = settings;
        this.exchanges = new ServedExchanges(settings);
    }

    private static void requireBackend(String name) {
        if (name.equals(Backend.auto().toString())
                || BackendProvider.installed().stream()
                        .anyMatch(one -> one.name().equals(name))) {
            return;
        }
        StringBuilder known = new StringBuilder(Backend.auto().toString());
        BackendProvider.installed().forEach(one -> known.append(" or ").append(one.name()));
        throw HttpServerSettings.refusal("backend", name, known.toString());
    }

    /** Makes {@code server} the object that programs see instead of this one. */
    void serveFor(HttpServer server, UnaryOperator<Supplier<ConnectionHandler>> decoratorOfHandlers) {
        contexts.setServer(server);
        decorator = decoratorOfHandlers;
    }

    HttpServerSettings settings() {
        return settings;
    }

    HttpServerCounters counters() {
        return exchanges.counters();
    }

    StreamReactor reactor() {
        StreamReactor running = reactor;
        if (running == null) {
            throw new IllegalStateException("the server was not started");
        }
        return running;
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        return contexts.create(path, Objects.requireNonNull(handler, "null handler"));
    }

    @Override
    public HttpContext createContext(String path) {
        return contexts.create(path, null);
    }

    @Override
    public void removeContext(String path) {
        contexts.remove(path);
    }

    @Override
    public void removeContext(HttpContext context) {
        contexts.remove(context);
    }

    /** Returns null before the server is bound. */
    @Override
    public InetSocketAddress getAddress() {
        return address;
    }

    @Override
    public synchronized void bind(InetSocketAddress wanted, int backlog) throws IOException {
        if (socket != null) {
            throw new BindException("the server is bound already, to " + address);
        }
        Objects.requireNonNull(wanted, "null address");
        if (stopped) {
            throw new BindException("the server was stopped: make another one");
        }
        socket = BoundSocket.open(wanted, backlog);
        address = socket.address();
    }

    synchronized void requireNotStarted() {
        if (started) {
            throw new IllegalStateException("server already started");
        }
    }

    @Override
    public synchronized void setExecutor(Executor wanted) {
        requireNotStarted();
        executor = wanted;
    }

    @Override
    public Executor getExecutor() {
        return executor;
    }

    @Override
    public synchronized void start() {
        if (socket == null || started || stopped) {
            throw new IllegalStateException(
                    "server in wrong state: " + (stopped ? "stopped" : started ? "started already" : "not bound"));
        }
        try {
            serve();
        } catch (IOException refused) {
            throw new UncheckedIOException("the server cannot start: " + refused.getMessage(), refused);
        }
        started = true;
    }

    private void serve() throws IOException {
        HttpService service = Http.server(new RequestDispatch(contexts, exchanges, executor))
                .withLimits(settings.limits())
                .withTimeouts(settings.timeouts())
                .withEnding(exchanges::isEnding);
        Supplier<ConnectionHandler> handlers = decorator == null ? service : decorator.apply(service);
        StreamReactor.Builder builder = StreamReactor.builder()
                .name("http-" + address.getPort())
                .backend(
                        settings.backend().equals(Backend.auto().toString())
                                ? Backend.auto()
                                : Backend.named(settings.backend()))
                .shards(settings.shards())
                .threadFactory(threads())
                .timeouts(settings.ofConnections())
                .drainTimeout(DRAIN_TIME)
                .handlerTimeout(DRAIN_TIME);
        if (settings.threads() > 0) {
            builder.threadsPerShard(settings.threads());
        }
        StreamReactor running = builder.start();
        boolean listens = false;
        try {
            listener = running.listen(socket.fd(), options(), handlers);
            reactor = running;
            listens = true;
        } finally {
            if (!listens) {
                running.close();
            }
        }
    }

    private ListenOptions options() {
        int most = settings.connectionsMax();
        return most == 0 ? ListenOptions.DEFAULT : ListenOptions.DEFAULT.withConnectionsMax(most);
    }

    /** The threads get the daemon status and the context class loader of the caller of {@code start}, even if a pool adds them later. */
    private ThreadFactory threads() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        boolean daemon = Thread.currentThread().isDaemon();
        return task -> {
            Thread thread = new LeaderThread(exchanges.waits, task);
            thread.setContextClassLoader(loader);
            thread.setDaemon(daemon);
            return thread;
        };
    }

    /**
     * Accepts no connection from now on, gives exchanges {@code delay} seconds to end, and then ends connections. On a thread of the
     * server, returns at once, because the exchange of this thread could not end during a wait. A second call ends the delay of the first.
     */
    @Override
    public void stop(int delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("negative delay: " + delay);
        }
        boolean first;
        synchronized (this) {
            first = !stopped;
            stopped = true;
            if (first && !started && socket != null) {
                socket.close();
            }
        }
        exchanges.end();
        StreamReactor running = reactor;
        if (running == null) {
            return;
        }
        if (Thread.currentThread() instanceof LeaderThread own && own.belongsTo(exchanges.waits)) {
            if (first) {
                new Thread(() -> new ServerEnd(running, listener, exchanges).run(delay), "http-stop").start();
            }
        } else {
            new ServerEnd(running, listener, exchanges).run(first ? delay : 0);
        }
    }
}
