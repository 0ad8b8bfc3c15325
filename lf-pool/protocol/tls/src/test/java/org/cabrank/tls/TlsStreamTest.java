package org.cabrank.tls;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.stream.Stream;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.AllStreamContracts;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds streams through TLS to the contract of streams, over each backend. */
@ExtendWith(NotThroughTls.class)
class TlsStreamTest extends AllStreamContracts {
    /** Several threads over epoll: the model runs over each backend, and so do the tests of engines and clients. In a soak all modes. */
    static Stream<ReactorMode> modes() throws GeneralSecurityException {
        return backends().filter(mode -> Modes.isSoak() || mode.threads() > 1);
    }

    /** The modes that differ most, one for each backend; in a soak all. */
    static Stream<ReactorMode> backends() throws GeneralSecurityException {
        TlsLayer layer = new TlsLayer();
        boolean soak = Modes.isSoak();
        return BackendProvider.installed().stream()
                .flatMap(backend -> Stream.of(
                                mode(backend, 1, Promotion.eager()),
                                mode(backend, 3, Promotion.deferred(Duration.ofMillis(2))),
                                mode(backend, 3, Promotion.eager()))
                        .filter(mode -> mode.threads() == 1 && soak
                                || mode.threads() > 1 == backend.name().equals("epoll"))
                        .filter(mode ->
                                soak || !(mode.threads() > 1 && mode.promotion().equals(Promotion.eager()))))
                .map(mode -> mode.withLayer("TLS", layer));
    }

    private static ReactorMode mode(BackendProvider backend, int threads, Promotion promotion) {
        String name = backend.name() + " " + threads + " " + promotion.label();
        return new ReactorMode(name, backend, threads, promotion, Deactivation.CLAIM, Waiting.block());
    }
}
