package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ByteStreamContracts;
import org.cabrank.stream.contract.ReactorMode;

/**
 * Holds streams that send without a copy to what the contract says of bytes: Unix sockets refuse, and what they refuse goes
 * with a copy. Not to the tests whose peers have next to no room: there TCP goes on by time-outs only, some kilobytes a second.
 */
class ZeroCopyStreamTest extends ByteStreamContracts {
    static Stream<ReactorMode> modes() {
        return RingModes.zeroCopy();
    }
}
