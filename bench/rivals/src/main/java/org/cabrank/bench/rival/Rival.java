package org.cabrank.bench.rival;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Protocol;

/**
 * A contender whose framework is only on the class path of the contender's own process. Only code that {@link #start} calls may use
 * classes of the framework.
 */
abstract class Rival implements Contender {

    private final String name;
    private final String framework;
    private final Set<Protocol> protocols;
    private final List<String> tuning;

    /** {@code framework} is the name of a class of the framework. */
    Rival(String name, String framework, Set<Protocol> protocols, String... tuning) {
        this.name = name;
        this.framework = framework;
        this.protocols = Set.copyOf(protocols);
        this.tuning = Stream.concat(Stream.of(tuning), Stream.of(ContenderSockets.TUNING))
                .toList();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean serves(Protocol protocol) {
        return protocols.contains(protocol);
    }

    @Override
    public final List<String> tuning() {
        return tuning;
    }

    @Override
    public List<Path> libraries() throws ContenderUnavailableException {
        return Frameworks.jarsOf(framework);
    }
}
