package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.SharedAddressContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds two shards over io_uring to the parts of the contract that sharing an address could break, however they share it. */
class RingAcceptModesTest extends SharedAddressContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(Modes.sharing(RingModes.accepting()));
    }
}
