package org.cabrank.bench.rival;

import java.util.Set;
import org.cabrank.bench.contender.Protocol;

/**
 * Grizzly with its leader-follower strategy, the nearest relative of Cabrank's eager promotion: the thread that found an event passes the
 * selector on to a thread of the pool, and runs the handler itself, where it may block.
 *
 * <p>Tuned as Grizzly's documentation advises (<a href="https://eclipse-ee4j.github.io/grizzly/iostrategies.html">I/O strategies</a>, <a
 * href="https://eclipse-ee4j.github.io/grizzly/bestpractices.html">best practices</a>: one selector for one to four cores), and as in its
 * makers' entry in TechEmpower's benchmarks: pooled memory, neither file cache nor time limits. HttpPipelineOptAddOn of that entry is left
 * out, because it loses collected pipelined answers when the client requests the end of the connection.
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
