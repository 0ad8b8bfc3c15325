package org.cabrank.epoll;

import org.cabrank.descriptor.contract.AddressQuestionsContract;
import org.cabrank.lf.stream.AcceptMode;
import org.cabrank.lf.stream.contract.ReactorMode;

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
