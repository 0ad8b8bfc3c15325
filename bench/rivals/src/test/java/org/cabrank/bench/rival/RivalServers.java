package org.cabrank.bench.rival;

import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;
import org.junit.jupiter.params.provider.Arguments;

/** The contenders of this module for tests. */
final class RivalServers {

    private RivalServers() {}

    /** Each name and {@code protocol}, for those that serve it. */
    static Stream<Arguments> serving(Protocol protocol) {
        return Contenders.provided().stream()
                .filter(contender -> contender.serves(protocol))
                .map(contender -> Arguments.of(contender.name(), protocol));
    }

    /** Each name with each protocol that it serves. */
    static Stream<Arguments> each() {
        return Stream.of(Protocol.values()).flatMap(RivalServers::serving);
    }

    static Stream<String> names() {
        return Contenders.provided().stream().map(Contender::name);
    }
}
