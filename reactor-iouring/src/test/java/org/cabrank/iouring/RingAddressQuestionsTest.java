package org.cabrank.iouring;

import org.cabrank.socket.contract.AddressQuestionsContract;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.contract.ReactorMode;

/** {@link AddressQuestionsContract} over io_uring: a multishot accept has one place for the addresses of all, and reports none. */
class RingAddressQuestionsTest extends AddressQuestionsContract {
    @Override
    protected ReactorMode mode() {
        return RingModes.plain(this::kernel).withShards(2, AcceptMode.DISPATCH);
    }

    @Override
    protected boolean peersComeWithConnections() {
        return false;
    }
}
