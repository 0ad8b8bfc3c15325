package org.cabrank.bench.rival;

import java.util.stream.Stream;
import org.cabrank.bench.contender.HttpContract;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.params.provider.Arguments;

/** All frameworks that serve HTTP. */
@NewestJdk
final class RivalsHttpContractTest extends HttpContract {

    RivalsHttpContractTest(String name, Protocol protocol) {
        super(name, protocol);
    }

    /** Helidon has no option without. */
    @Override
    protected String furtherFields() {
        return name().equals("helidon") ? "Connection: keep-alive\r\n" : "";
    }

    @Override
    protected String keepsOpen() {
        return name().equals("helidon") ? "Helidon closes only from 4.5.4 on (its issue 12324)" : null;
    }

    /** The JDK's provider closes without a word. */
    @Override
    protected boolean saysThatItCloses() {
        return !name().startsWith("jdk-");
    }

    static Stream<Arguments> servers() {
        return RivalServers.serving(Protocol.HTTP);
    }
}
