package org.cabrank.socket.contract;

import org.cabrank.stream.contract.AcceptContract;
import org.cabrank.stream.contract.AcceptRateStress;
import org.cabrank.stream.contract.DrainContract;
import org.cabrank.stream.contract.EchoContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** The parts of the contract that sharing an address could break: for shards that do. */
public abstract class SharedAddressContracts extends StreamContracts {
    @Nested
    class Accepting extends AcceptContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class AcceptRates extends AcceptRateStress {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Echo extends EchoContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Draining extends DrainContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}
