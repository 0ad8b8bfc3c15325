package org.cabrank.socket.contract;

import org.cabrank.stream.contract.ListenerContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** The parts of the contract about listeners and about options of sockets. */
public abstract class ListeningContracts extends StreamContracts {
    @Nested
    class Listeners extends ListenerContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class InheritedSockets extends InheritedSocketContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Options extends SocketOptionContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}
