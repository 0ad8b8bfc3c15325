package org.cabrank.tls;

import java.util.Comparator;
import java.util.stream.Stream;
import org.cabrank.stream.contract.LostOutputContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that answers early and closes, in each version of TLS: in TLS 1.2 its close_notify ends both directions. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@ExtendWith(NotThroughTls.class)
class LostOutputByVersionTest extends LostOutputContract {
    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() throws Exception {
        ReactorMode any = TlsStreamTest.modes() // epoll if this run takes it
                .max(Comparator.comparing(mode -> mode.provider().name().equals("epoll")))
                .orElseThrow();
        return Stream.of(any.withLayer("1.2", new TlsLayer("TLSv1.2")), any.withLayer("1.3", new TlsLayer("TLSv1.3")));
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }
}
