package org.cabrank.bench.rival;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.httpserver.CabrankHttpServerProvider;
import org.cabrank.stream.BackendUnavailableException;

final class CabrankHttpServers {

    private static final String PREFIX = "cabrank.httpserver.";

    /** With this value, each shard chooses its number of threads. */
    private static final int THREADS = 0;

    private CabrankHttpServers() {}

    static RunningServer start(ServerSettings settings) throws IOException {
        int threads = settings.threadsElse(THREADS);
        // The provider reads these properties when it creates the server.
        System.setProperty(PREFIX + "backend", "epoll");
        System.setProperty(PREFIX + "threads", String.valueOf(threads));
        System.setProperty(PREFIX + "idleSeconds", "0");
        HttpServer server;
        try {
            server = HttpServers.started(new CabrankHttpServerProvider(), settings, null);
        } catch (BackendUnavailableException notHere) {
            throw new ContenderUnavailableException(notHere.getMessage());
        }
        String details = CabrankHttpServerProvider.reactor(server).backendDescription()
                + (threads == 0 ? ", threads by default" : ", " + threads + " threads");
        return new HttpServers.Running(server, null, details);
    }
}
