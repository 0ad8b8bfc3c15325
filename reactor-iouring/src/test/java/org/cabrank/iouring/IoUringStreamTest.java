package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.AllStreamContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds streams over io_uring to the contract of every backend, with every kernel and every kind of pool. */
class IoUringStreamTest extends AllStreamContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.pools());
    }
}
