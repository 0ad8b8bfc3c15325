package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * A server that the bench compares. It runs in its own process. To add a contender, implement this interface or {@link NativeContender},
 * and add the contender to {@link Contenders} or to a {@link ContenderProvider}.
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

    /** Returns the JVM flags that the contender's makers recommend for a Java release, such as 25. The bench adds flags of its own. */
    default List<String> jvmFlags(int feature) {
        return List.of();
    }

    /** Jars that only the contender's process needs. The exception's message explains how to get a missing jar. */
    default List<Path> libraries() throws ContenderUnavailableException {
        return List.of();
    }

    /**
     * Starts serving on loopback.
     *
     * @throws ContenderUnavailableException if this machine cannot run the contender. The bench then leaves the contender out.
     * @throws IOException if the start failed. The bench then counts a failure.
     */
    RunningServer start(ServerSettings settings) throws IOException;
}
