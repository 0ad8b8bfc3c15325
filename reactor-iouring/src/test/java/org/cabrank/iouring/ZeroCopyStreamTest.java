package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ByteStreamContracts;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/**
 * Holds streams that send without a copy to what the contract says of bytes: Unix sockets refuse, and what they refuse goes
 * with a copy. Not to the tests whose peers have next to no room: there TCP goes on by time-outs only, some kilobytes a second.
 */
@Tag("newest") // on an older JDK in a soak only
class ZeroCopyStreamTest extends ByteStreamContracts {
    static Stream<ReactorMode> modes() {
        return RingModes.zeroCopy();
    }
}
