package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.MovingContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Connections that are moved between two shards. */
class EpollMovingTest extends MovingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(EpollModes.moving());
    }
}
