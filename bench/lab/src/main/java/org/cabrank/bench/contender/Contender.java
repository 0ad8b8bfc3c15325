package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * One server that the bench compares: it sends back what it receives, or answers HTTP requests, in a process of its own. A new contender
 * implements this interface, or {@link NativeContender}, and is named in {@link Contenders} or in a {@link ContenderProvider}.
 */
public interface Contender {

    String name();

    default ContenderKind kind() {
        return ContenderKind.JAVA;
    }

    default boolean serves(Protocol protocol) {
        return protocol == Protocol.ECHO;
    }

    /** Returns true if the contender runs a program written for the JDK's {@code com.sun.net.httpserver}. */
    default boolean isHttpServerProvider() {
        return false;
    }

    List<String> tuning();

    /** JVM flags that the contender's makers recommend for a feature release, such as 25. All contenders get further flags. */
    default List<String> jvmFlags(int feature) {
        return List.of();
    }

    /** Jars that only the contender's process needs. If they are missing, the exception's message has instructions to get them. */
    default List<Path> libraries() throws ContenderUnavailableException {
        return List.of();
    }

    /**
     * Starts serving on loopback.
     *
     * @throws ContenderUnavailableException if this machine lacks something: the bench leaves the contender out
     * @throws IOException with the reason if the start failed: the bench counts a failure
     */
    RunningServer start(ServerSettings settings) throws IOException;
}
