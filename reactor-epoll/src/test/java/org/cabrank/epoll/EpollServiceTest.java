package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ServiceContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Holds streams over epoll to the contract of what stands above the bytes. */
class EpollServiceTest extends ServiceContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(EpollModes.kernels());
    }
}
