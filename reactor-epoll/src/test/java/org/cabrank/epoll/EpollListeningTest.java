package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ListeningContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Listeners and options of sockets over epoll, with one shard, and with two whose listeners differ. */
class EpollListeningTest extends ListeningContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(Stream.concat(EpollModes.kernels(), Modes.listening(EpollModes.accepting())));
    }
}
