package org.cabrank.tls;

import java.security.GeneralSecurityException;
import java.util.stream.Stream;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModelContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** Programs of calls through TLS, over each backend. */
@ExtendWith(NotThroughTls.class)
class TlsModelTest extends ConnectionModelContract {
    /** A program takes a handshake. A prime, so that the programs are of all kinds. */
    private static final int SHARE = Integer.getInteger("cabrank.tls.model.share", 13);

    static Stream<ReactorMode> modes() throws GeneralSecurityException {
        return of(TlsStreamTest.backends().map(mode -> mode.withShards(2, AcceptMode.DISPATCH)), name -> true);
    }

    @Override
    protected int modeCount() {
        return 2;
    }

    @Override
    protected int share() {
        return SHARE;
    }
}
