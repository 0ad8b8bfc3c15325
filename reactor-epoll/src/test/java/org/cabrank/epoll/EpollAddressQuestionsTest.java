package org.cabrank.epoll;

import org.cabrank.socket.contract.AddressQuestionsContract;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.contract.ReactorMode;

/** {@link AddressQuestionsContract} over epoll: accept4(2) brings the peer. */
class EpollAddressQuestionsTest extends AddressQuestionsContract {
    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel()).withShards(2, AcceptMode.DISPATCH);
    }

    @Override
    protected boolean peersComeWithConnections() {
        return true;
    }
}
