package org.cabrank.epoll;

import org.cabrank.socket.contract.RedeploymentContract;

class EpollRedeploymentTest extends RedeploymentContract {
    @Override
    protected String backend() {
        return "epoll";
    }
}
