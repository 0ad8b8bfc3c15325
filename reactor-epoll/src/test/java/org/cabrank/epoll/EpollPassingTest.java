package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.PassingContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds descriptors that are passed over epoll to the contract, in the modes that differ most. */
class EpollPassingTest extends PassingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(EpollModes.differing());
    }
}
