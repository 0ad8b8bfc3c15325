package org.cabrank.bench.contender;

import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.params.provider.Arguments;

/** All echo servers of the lab. */
@NewestJdk
final class EchoContractTest extends EchoContract {

    EchoContractTest(String name, Protocol protocol) {
        super(name, protocol);
    }

    static Stream<Arguments> servers() {
        return Servers.of(Protocol.ECHO, Protocol.ECHO_TLS);
    }
}
