package org.cabrank.tls;

import java.security.GeneralSecurityException;
import java.util.stream.Stream;
import org.cabrank.socket.contract.ServiceContracts;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds streams through TLS to the contract of what stands above the bytes. */
@ExtendWith(NotThroughTls.class)
@Tag("newest") // on an older JDK in a soak only
class TlsStreamServiceTest extends ServiceContracts {
    static Stream<ReactorMode> modes() throws GeneralSecurityException {
        return TlsStreamTest.modes();
    }
}
