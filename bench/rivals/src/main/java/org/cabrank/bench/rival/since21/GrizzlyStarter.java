package org.cabrank.bench.rival.since21;

import java.io.IOException;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.rival.ServerStarter;

/** Starts Grizzly's server for a protocol. */
public final class GrizzlyStarter implements ServerStarter {

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        return settings.protocol().isHttp() ? GrizzlyHttpServer.start(settings) : GrizzlyEchoServer.start(settings);
    }
}
