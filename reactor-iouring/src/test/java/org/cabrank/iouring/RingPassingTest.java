package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.PassingContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds descriptors that are passed over io_uring to the contract, in the modes that differ most. */
class RingPassingTest extends PassingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.differing());
    }
}
