package org.cabrank.bench.rival;

import java.io.IOException;
import java.util.Set;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/**
 * Undertow. Its documentation (<a href="https://undertow.io/undertow-docs/undertow-docs-2.1.0/undertow-handler-guide.html">Handler
 * Authors Guide</a>) forbids blocking in I/O threads. So a handler that may block dispatches itself to a worker thread. Other handlers
 * answer in the I/O thread, as in Undertow's entry in TechEmpower's benchmarks.
 */
final class UndertowContender extends Rival {

    UndertowContender() {
        super(
                "undertow",
                "io.undertow.Undertow",
                Set.of(Protocol.HTTP),
                "one I/O thread; handlers that may block are dispatched to a pool of workers (8 for each CPU)",
                "direct buffers, no field Connection: keep-alive");
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        return UndertowServer.start(settings);
    }
}
