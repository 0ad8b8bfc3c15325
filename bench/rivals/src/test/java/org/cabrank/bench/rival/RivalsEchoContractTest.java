package org.cabrank.bench.rival;

import java.util.stream.Stream;
import org.cabrank.bench.contender.EchoContract;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.params.provider.Arguments;

/** All frameworks that serve echo. */
@NewestJdk
final class RivalsEchoContractTest extends EchoContract {

    RivalsEchoContractTest(String name, Protocol protocol) {
        super(name, protocol);
    }

    static Stream<Arguments> servers() {
        return RivalServers.serving(Protocol.ECHO);
    }
}
