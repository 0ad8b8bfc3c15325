package org.cabrank.bench.rival;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.ContenderKind;

/** A provider of the JDK's {@code com.sun.net.httpserver}. All providers run the same handler, {@link HelloExchange}. */
final class HttpServerContender extends Rival {

    private static final String JDK = "com.sun.net.httpserver.HttpServer";
    private static final int VIRTUAL_THREADS_SINCE = 21;

    private final ServerStarter starter;
    private final List<String> jvmFlags;

    private final int since;

    private HttpServerContender(
            String name, String framework, ServerStarter starter, int since, List<String> jvmFlags, String... tuning) {
        super(name, framework, Set.of(Protocol.HTTP), tuning);
        this.starter = starter;
        this.since = since;
        this.jvmFlags = jvmFlags;
    }

    static HttpServerContender jdk() {
        return new HttpServerContender(
                "jdk-httpserver",
                JDK,
                settings -> HttpServers.jdk(settings, null),
                0,
                HttpServers.JDK_FLAGS,
                "the JDK's own provider, no executor: handlers, which may block, run in the selector's thread",
                "sun.net.httpserver.nodelay, as many idle connections as there are clients");
    }

    static HttpServerContender jdkWithPool() {
        return new HttpServerContender(
                "jdk-pool-httpserver",
                JDK,
                settings -> HttpServers.jdk(settings, HttpServers.pool(settings)),
                0,
                HttpServers.JDK_FLAGS,
                "the JDK's own provider, an executor of " + ServerSettings.DEFAULT_THREADS
                        + " threads, in which handlers may block",
                "sun.net.httpserver.nodelay, as many idle connections as there are clients");
    }

    static HttpServerContender jdkWithVirtualThreads() {
        return new HttpServerContender(
                "jdk-virtual-httpserver",
                JDK,
                settings -> HttpServers.jdk(settings, HttpServers.virtualThreads()),
                VIRTUAL_THREADS_SINCE,
                HttpServers.JDK_FLAGS,
                "the JDK's own provider, a virtual thread per exchange, in which handlers may block",
                "sun.net.httpserver.nodelay, as many idle connections as there are clients");
    }

    /** Returns Jetty's provider over a server that is tuned like {@link JettyContender}. */
    static HttpServerContender jetty() {
        return new HttpServerContender(
                "jetty-httpserver",
                "org.eclipse.jetty.http.spi.JettyHttpServerProvider",
                settings -> JettyHttpServers.start(settings), // loads the class only then
                0,
                List.of(),
                "jetty-http-spi over a Jetty of our settings, in whose QueuedThreadPool handlers may block",
                "one acceptor, one selector, up to 200 threads");
    }

    /** Uses virtual threads, as <a href="https://github.com/robaho/httpserver">Robaho's documentation</a> advises. */
    static HttpServerContender robaho() {
        return new HttpServerContender(
                "robaho-httpserver",
                HttpServers.ROBAHO,
                HttpServers::robaho,
                VIRTUAL_THREADS_SINCE,
                List.of("-Drobaho.net.httpserver.nodelay=true", "-Drobaho.net.httpserver.maxIdleConnections=10000"),
                "a virtual thread per connection, in which handlers may block",
                "robaho.net.httpserver.nodelay, as many idle connections as there are clients");
    }

    static HttpServerContender cabrank() {
        return new HttpServerContender(
                "cabrank-epoll-httpserver",
                "org.cabrank.httpserver.CabrankHttpServerProvider",
                CabrankHttpServers::start, // loads the class only then
                0,
                List.of(),
                "one shard of 32 threads over epoll, no executor: handlers, which may block, run in its threads",
                "no limit of idle connections");
    }

    @Override
    public ContenderKind kind() {
        return name().startsWith("cabrank") ? ContenderKind.CABRANK : ContenderKind.JAVA;
    }

    @Override
    public boolean isHttpServerProvider() {
        return true;
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return jvmFlags;
    }

    @Override
    public List<Path> libraries() throws ContenderUnavailableException {
        throwUnlessTheJdkIsNewEnough();
        return super.libraries();
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        throwUnlessTheJdkIsNewEnough();
        return starter.start(settings);
    }

    private void throwUnlessTheJdkIsNewEnough() throws ContenderUnavailableException {
        int feature = Runtime.version().feature();
        if (feature < since) {
            throw new ContenderUnavailableException(
                    name() + " needs JDK " + since + " or later, and this is " + feature);
        }
    }
}
