package org.cabrank.iouring;

import java.net.SocketAddress;
import java.util.stream.Stream;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.lf.stream.contract.AddressContract;
import org.cabrank.lf.stream.contract.EchoContract;
import org.cabrank.lf.stream.contract.LongAnswerContract;
import org.cabrank.lf.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds streams that send without a copy to what the contract says of bytes. Not to the tests whose peers have next to no
 * room: there TCP goes on by time-outs only, some kilobytes a second.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class ZeroCopyStreamTest {
    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return RingModes.zeroCopy();
    }

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

    /** Unix sockets refuse: what they refuse goes with a copy. */
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
