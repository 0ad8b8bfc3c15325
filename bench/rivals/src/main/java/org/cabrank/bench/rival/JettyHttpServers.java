package org.cabrank.bench.rival;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.eclipse.jetty.http.spi.JettyHttpServerProvider;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/** Starts Jetty's provider of {@code com.sun.net.httpserver}. The backlog is set in the {@link Server}, because the provider ignores it. */
final class JettyHttpServers {

    private JettyHttpServers() {}

    static RunningServer start(ServerSettings settings) throws IOException {
        Server server = JettyServer.unstarted(settings);
        server.setHandler(new ContextHandlerCollection());
        InetSocketAddress any = new InetSocketAddress(JettyServer.loopback(), 0);
        JettyHttpServerProvider.setServer(server);
        HttpServer api;
        try {
            api = new JettyHttpServerProvider().createHttpServer(any, 0);
        } finally {
            JettyHttpServerProvider.setServer(null);
        }
        api.createContext("/", new HelloExchange(settings.work()));
        return JettyServer.started(server);
    }
}
