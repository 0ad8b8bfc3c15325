package org.cabrank.bench.rival;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/** Starts servers of the providers that need only the API {@code com.sun.net.httpserver}. */
final class HttpServers {

    static final String ROBAHO = "robaho.net.httpserver.DefaultHttpServerProvider";

    private static final String JDK = "sun.net.httpserver.DefaultHttpServerProvider";

    /** The first flag selects the JDK's own provider even if the class path has others. */
    static final List<String> JDK_FLAGS = List.of(
            "-Dcom.sun.net.httpserver.HttpServerProvider=" + JDK,
            "-Dsun.net.httpserver.nodelay=true",
            "-Dsun.net.httpserver.maxIdleConnections=10000");

    private HttpServers() {}

    /** @param executor runs the handlers and ends with the server. If null, the server's own thread runs them. */
    static RunningServer jdk(ServerSettings settings, ExecutorService executor) throws IOException {
        HttpServerProvider provider = HttpServerProvider.provider();
        String found = provider.getClass().getName();
        if (!found.equals(JDK)) {
            throw new IOException("the provider is " + found + ": start the JVM with " + JDK_FLAGS.get(0));
        }
        return start(provider, settings, executor);
    }

    static RunningServer robaho(ServerSettings settings) throws IOException {
        return start(provider(ROBAHO), settings, virtualThreads());
    }

    private static RunningServer start(HttpServerProvider provider, ServerSettings settings, ExecutorService executor)
            throws IOException {
        HttpServer server = started(provider, settings, executor);
        return new Running(server, executor, provider.getClass().getName());
    }

    static HttpServer started(HttpServerProvider provider, ServerSettings settings, ExecutorService executor)
            throws IOException {
        HttpServer server = provider.createHttpServer(ContenderSockets.anyPort(), ContenderSockets.BACKLOG);
        server.createContext("/", new HelloExchange(settings.work()));
        server.setExecutor(executor);
        server.start();
        return server;
    }

    static ExecutorService pool(ServerSettings settings) {
        return Executors.newFixedThreadPool(settings.threadsElse(ServerSettings.DEFAULT_THREADS));
    }

    /** Uses reflection, because the language level is 17. */
    static ExecutorService virtualThreads() throws ContenderUnavailableException {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException tooOld) {
            throw new ContenderUnavailableException("this JDK has no virtual threads: " + tooOld);
        }
    }

    private static HttpServerProvider provider(String name) throws ContenderUnavailableException {
        try {
            return (HttpServerProvider) Class.forName(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException | UnsupportedClassVersionError unusable) {
            throw new ContenderUnavailableException("this JVM cannot load " + name + ": " + unusable);
        }
    }

    record Running(HttpServer server, ExecutorService executor, String details) implements RunningServer {

        @Override
        public InetSocketAddress address() {
            return server.getAddress();
        }

        @Override
        public void close() {
            server.stop(0);
            if (executor != null) {
                executor.shutdownNow();
            }
        }
    }
}
