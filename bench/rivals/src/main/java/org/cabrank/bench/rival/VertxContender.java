package org.cabrank.bench.rival;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.cabrank.bench.contender.NettyJvmFlags;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/**
 * Vert.x 5. Its documentation (<a href="https://vertx.io/docs/vertx-core/java/#blocking_code">Running blocking code</a>) forbids blocking
 * event loops. So {@code executeBlocking} runs code that may block. The documentation recommends the native transport. The flags and
 * options are from the makers' entry in TechEmpower's benchmarks, if version 5 knows them.
 */
final class VertxContender extends Rival {

    VertxContender() {
        super(
                "vertx",
                "io.vertx.core.Vertx",
                Set.of(Protocol.ECHO, Protocol.HTTP),
                "one event loop, Netty's epoll transport in C",
                "handlers that may block run in executeBlocking, unordered, in a pool of 20 threads",
                "strict thread mode; neither metrics, timings, WebSockets, h2c nor validation of fields",
                "leak detection and buffer bounds and access checks off");
    }

    @Override
    public List<String> jvmFlags(int feature) {
        List<String> flags = new ArrayList<>(NettyJvmFlags.of(feature));
        flags.addAll(List.of(
                "-Dvertx.disableMetrics=true",
                "-Dvertx.disableWebsockets=true",
                "-Dvertx.disableContextTimings=true",
                "-Dvertx.disableHttpHeadersValidation=true"));
        return flags;
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        return VertxServer.start(settings);
    }
}
