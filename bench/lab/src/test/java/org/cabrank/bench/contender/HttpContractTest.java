package org.cabrank.bench.contender;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** All servers of the lab that serve HTTP. */
final class HttpContractTest extends HttpContract {

    HttpContractTest(String name, Protocol protocol) {
        super(name, protocol);
    }

    static Stream<Arguments> servers() {
        return Servers.of(Protocol.HTTP, Protocol.HTTPS);
    }
}
