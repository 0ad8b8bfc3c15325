package org.cabrank.bench.rival;

import java.util.Set;
import org.cabrank.bench.contender.Protocol;

/**
 * Grizzly with its leader-follower strategy, which is similar to Cabrank's eager promotion. A thread gives the selector to another thread
 * before it runs the handler.
 *
 * <p>Tuned as Grizzly's documentation advises (<a href="https://eclipse-ee4j.github.io/grizzly/iostrategies.html">I/O strategies</a>, <a
 * href="https://eclipse-ee4j.github.io/grizzly/bestpractices.html">best practices</a>: one selector for one to four cores). Memory, file
 * cache and time limits are set as in the makers' entry in TechEmpower's benchmarks. But HttpPipelineOptAddOn is not used, because it loses
 * pipelined answers if the client requests the end of the connection.
 */
final class GrizzlyContender extends LaterRival {

    GrizzlyContender() {
        super(
                "grizzly",
                "org.glassfish.grizzly.Transport",
                Set.of(Protocol.ECHO, Protocol.HTTP),
                "GrizzlyStarter",
                "leader-follower strategy: handlers, which may block, run in the thread that found their event",
                "one selector, several threads",
                "PooledMemoryManager",
                "reading pauses until an answer is written whole",
                "HTTP: HttpServer with HttpHandler, no file cache, no time-outs");
    }
}
