package org.cabrank.iouring;

import org.cabrank.socket.contract.RedeploymentContract;

class RingRedeploymentTest extends RedeploymentContract {
    @Override
    protected String backend() {
        return "iouring";
    }

    @Override
    protected boolean servesSeveralThreads() {
        return false;
    }
}
