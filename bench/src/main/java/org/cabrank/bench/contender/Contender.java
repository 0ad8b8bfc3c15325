package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * One server that the bench compares: it sends back what it receives, or answers HTTP requests. The bench starts it in a
 * process of its own. To add one, implement this interface, or {@link NativeContender} for a program that is not Java, and
 * name the class in {@link Contenders}.
 */
public interface Contender {

    /** What {@code --contender} takes: lower case and dashes. */
    String name();

    /** What it is compared for. */
    default ContenderKind kind() {
        return ContenderKind.JAVA;
    }

    /** Whether it can do this; the bench leaves it out of what it cannot. */
    default boolean serves(Protocol protocol) {
        return protocol == Protocol.ECHO;
    }

    /** What was done to make it fast, for the report: one short clause each. */
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
     * Starts serving on loopback.
     *
     * @throws ContenderUnavailableException when this machine does not have what it needs: the bench leaves it out
     * @throws IOException when it could not be started, with the reason in words: the bench counts a failure
     */
    RunningServer start(ServerSettings settings) throws IOException;
}
