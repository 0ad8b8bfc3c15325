package org.cabrank.iouring;

import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.socket.contract.SlowPeerContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SlowPeerContract} over io_uring. */
@ParameterizedClass(name = "{0} threads")
@ValueSource(ints = {1, 3})
class RingSlowPeerTest extends SlowPeerContract {
    @Parameter
    int threads;

    @Override
    protected ReactorMode mode() {
        return RingModes.mode("", this::kernel, threads, Promotion.deferred(), Waiting.block(), RingOptions.DEFAULT);
    }
}
