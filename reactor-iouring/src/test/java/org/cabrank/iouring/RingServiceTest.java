package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ServiceContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds streams over io_uring to the contract of what stands above the bytes. */
class RingServiceTest extends ServiceContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.services());
    }
}
