package org.cabrank.descriptor.contract;

import org.cabrank.lf.stream.contract.AcceptContract;
import org.cabrank.lf.stream.contract.ClosingContract;
import org.cabrank.lf.stream.contract.DrainContract;
import org.cabrank.lf.stream.contract.EchoContract;
import org.cabrank.lf.stream.contract.ReactorMode;
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
    class Echo extends EchoContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Closing extends ClosingContract {
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
