package org.cabrank.bench.rival;

import java.io.IOException;
import java.util.Set;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/**
 * Jetty 12 with its adaptive execution strategy. The thread that found an event runs the handler itself in two cases: if a reserved thread
 * takes over the selector, or if the handler declares that it does not block.
 *
 * <p>Tuned as Jetty's documentation advises (<a href="https://jetty.org/docs/jetty/12.1/programming-guide/arch/threads.html">threading
 * architecture</a>): up to 200 threads with reserved threads, and handlers that declare if they may block. Answers are made as in
 * TechEmpower's benchmarks.
 */
final class JettyContender extends Rival {

    JettyContender() {
        super(
                "jetty",
                "org.eclipse.jetty.server.Server",
                Set.of(Protocol.HTTP),
                "adaptive execution strategy: handlers that may block run in the thread that found their event if a reserved"
                        + " thread takes over, and say that they do not block if they do not",
                "one acceptor, one selector, QueuedThreadPool of up to 200 threads",
                "fields encoded once");
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        return JettyServer.start(settings);
    }
}
