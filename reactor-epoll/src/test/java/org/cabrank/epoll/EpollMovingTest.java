package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.MovingContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/** Connections that are moved between two shards. */
@Tag("newest") // on an older JDK in a soak only
class EpollMovingTest extends MovingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(Modes.named(EpollModes.moving(), "3 eager claim .*", "3 deferred.* oneshot .*"));
    }
}
