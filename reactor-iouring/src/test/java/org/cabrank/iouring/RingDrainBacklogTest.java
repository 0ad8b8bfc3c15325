package org.cabrank.iouring;

import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.socket.contract.DrainBacklogContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link DrainBacklogContract} over io_uring, with a ring of one thread and with a shared one. */
@ParameterizedClass(name = "{0} threads")
@ValueSource(ints = {1, 3})
@Tag("newest") // on an older JDK in a soak only
class RingDrainBacklogTest extends DrainBacklogContract {
    @Parameter
    int threads;

    @Override
    protected ReactorMode mode() {
        return RingModes.mode("", this::kernel, threads, Promotion.deferred(), Waiting.block(), RingOptions.DEFAULT);
    }
}
