package org.cabrank.socket.contract;

import java.net.SocketAddress;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.stream.contract.AddressContract;
import org.cabrank.stream.contract.EchoContract;
import org.cabrank.stream.contract.LongAnswerContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** The parts of the contract about bytes and addresses. */
public abstract class ByteStreamContracts extends StreamContracts {
    @Nested
    class Echo extends EchoContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class LongAnswers extends LongAnswerContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Addresses extends AddressContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }

        @Override
        protected SocketAddress abstractAddress(String name) {
            return new AbstractUnixAddress(name);
        }
    }
}
