package org.cabrank.iouring;

import org.cabrank.socket.contract.DrainBacklogContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/** {@link DrainBacklogContract} over io_uring. */
@Tag("newest") // on an older JDK in a soak only
class RingDrainBacklogTest extends DrainBacklogContract {
    @Override
    protected ReactorMode mode() {
        return RingModes.plain(this::kernel);
    }
}
