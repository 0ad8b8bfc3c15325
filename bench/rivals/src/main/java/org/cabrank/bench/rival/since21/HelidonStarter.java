package org.cabrank.bench.rival.since21;

import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.rival.ServerStarter;

/** Starts Helidon's web server. */
public final class HelidonStarter implements ServerStarter {

    @Override
    public RunningServer start(ServerSettings settings) {
        return HelidonServer.start(settings);
    }
}
