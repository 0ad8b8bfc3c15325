package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * One server that the bench compares: it sends back what it receives, or answers HTTP requests. The bench starts it in a
 * process of its own. To add one, implement this interface, or {@link NativeContender} for a program that is not Java, and
 * name the class in {@link Contenders}, or in a {@link ContenderProvider} of another module.
 */
public interface Contender {

    String name();

    default ContenderKind kind() {
        return ContenderKind.JAVA;
    }

    /** Returns true if the contender supports the protocol; otherwise the bench leaves the contender out of its cells. */
    default boolean serves(Protocol protocol) {
        return protocol == Protocol.ECHO;
    }

    /** Returns true if the contender runs a program written for the JDK's {@code com.sun.net.httpserver}. */
    default boolean isHttpServerProvider() {
        return false;
    }

    List<String> tuning();

    /**
     * Flags that its makers advise for the JVM it runs in, on top of those that all contenders get.
     *
     * @param feature the JVM's feature release, such as 17 or 25
     */
    default List<String> jvmFlags(int feature) {
        return List.of();
    }

    /**
     * Jars that the contender's process needs besides those of the bench. The processes of other contenders do not get them.
     *
     * @throws ContenderUnavailableException if they are missing; the message says how to get them
     */
    default List<Path> libraries() throws ContenderUnavailableException {
        return List.of();
    }

    /**
     * Starts serving on loopback.
     *
     * @throws ContenderUnavailableException if this machine lacks something that the contender needs: the bench leaves it
     *     out
     * @throws IOException if the server could not be started, with the reason in the message: the bench counts a failure
     */
    RunningServer start(ServerSettings settings) throws IOException;
}
