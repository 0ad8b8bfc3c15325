package org.cabrank.iouring;

import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.socket.contract.AddressQuestionsContract;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link AddressQuestionsContract} over io_uring: a multishot accept has one place for the addresses of all, and reports none. */
@ParameterizedClass(name = "{0} threads")
@ValueSource(ints = {1, 3})
class RingAddressQuestionsTest extends AddressQuestionsContract {
    @Parameter
    int threads;

    @Override
    protected ReactorMode mode() {
        return RingModes.mode("", this::kernel, threads, Promotion.deferred(), Waiting.block(), RingOptions.DEFAULT)
                .withShards(2, AcceptMode.DISPATCH);
    }

    @Override
    protected boolean peersComeWithConnections() {
        return false;
    }
}
