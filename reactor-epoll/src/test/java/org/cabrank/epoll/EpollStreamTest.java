package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.AllStreamContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds streams over epoll to the contract of every backend, with every kernel and every kind of pool. */
class EpollStreamTest extends AllStreamContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(EpollModes.pools());
    }
}
