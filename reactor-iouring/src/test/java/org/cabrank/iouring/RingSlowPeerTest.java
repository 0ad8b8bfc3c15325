package org.cabrank.iouring;

import org.cabrank.socket.contract.SlowPeerContract;
import org.cabrank.stream.contract.ReactorMode;

/** {@link SlowPeerContract} over io_uring. */
class RingSlowPeerTest extends SlowPeerContract {
    @Override
    protected ReactorMode mode() {
        return RingModes.plain(this::kernel);
    }
}
