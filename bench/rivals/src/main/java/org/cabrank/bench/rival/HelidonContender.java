package org.cabrank.bench.rival;

import java.util.Set;
import org.cabrank.bench.contender.Protocol;

/**
 * Helidon 4. Its web server runs each connection in a virtual thread, in which handlers may block (<a
 * href="https://helidon.io/docs/v4/se/webserver">documentation</a>). The options are from the makers' entry in TechEmpower's benchmarks,
 * but without asynchronous writes.
 */
final class HelidonContender extends LaterRival {

    HelidonContender() {
        super(
                "helidon",
                "io.helidon.webserver.WebServer",
                Set.of(Protocol.HTTP),
                "HelidonStarter",
                "a virtual thread per connection, in which handlers may block",
                "the JDK's own scheduler: a carrier thread per CPU",
                "neither validation of fields and paths nor logs of traffic, cached fields");
    }
}
