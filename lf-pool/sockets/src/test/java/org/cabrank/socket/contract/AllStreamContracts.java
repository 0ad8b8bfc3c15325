package org.cabrank.socket.contract;

import org.cabrank.stream.contract.CallbackContract;
import org.cabrank.stream.contract.ClientContract;
import org.cabrank.stream.contract.ClosingContract;
import org.cabrank.stream.contract.DrainContract;
import org.cabrank.stream.contract.LeadershipContract;
import org.cabrank.stream.contract.ListenContract;
import org.cabrank.stream.contract.LostOutputContract;
import org.cabrank.stream.contract.OffloadContract;
import org.cabrank.stream.contract.OrderContract;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.WaitingContract;
import org.cabrank.stream.contract.WritingContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of every backend, but for {@link ServiceContracts}. Outside a soak an older JDK runs the parts that call the kernel in
 * ways of their own: the other parts make the same calls.
 */
public abstract class AllStreamContracts extends ReceivingContracts {
    @Nested
    class Callbacks extends CallbackContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Writing extends WritingContract {
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
    @Tag("newest")
    class LostOutput extends LostOutputContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Clients extends ClientContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Listening extends ListenContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Leadership extends LeadershipContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Waiting extends WaitingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Order extends OrderContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Offloading extends OffloadContract {
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
