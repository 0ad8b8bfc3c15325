package org.cabrank.socket.contract;

import org.cabrank.stream.contract.AcceptRateContract;
import org.cabrank.stream.contract.LimitsInAllContract;
import org.cabrank.stream.contract.ListenerContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** The parts of the contract about listeners, limits of a reactor, options of sockets and questions to the kernel. */
public abstract class ListeningContracts extends StreamContracts {
    @Nested
    class Listeners extends ListenerContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class AcceptRates extends AcceptRateContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class LimitsInAll extends LimitsInAllContract {
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
    class TcpInfos extends TcpInfoContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class SocketFiles extends SocketFileContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class UnixSockets extends UnixSocketContract {
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
