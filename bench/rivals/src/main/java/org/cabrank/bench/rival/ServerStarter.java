package org.cabrank.bench.rival;

import java.io.IOException;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/** Starts a framework's server. */
public interface ServerStarter {

    /** Starts the server on a free port of loopback. */
    RunningServer start(ServerSettings settings) throws IOException;
}
