package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ListeningContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;

/** Listeners and options of sockets over io_uring, with one shard, and with two whose listeners differ. */
class RingListeningTest extends ListeningContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(Stream.concat(RingModes.kernels(), Modes.listening(RingModes.accepting())));
    }
}
