package org.cabrank.epoll;

import org.cabrank.socket.contract.SlowPeerContract;
import org.cabrank.stream.contract.ReactorMode;

/** {@link SlowPeerContract} over epoll. */
class EpollSlowPeerTest extends SlowPeerContract {
    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel());
    }
}
