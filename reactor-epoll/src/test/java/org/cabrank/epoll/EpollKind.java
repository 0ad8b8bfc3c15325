package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.contract.SetKind;

/** Sets over epoll, for the contract. */
final class EpollKind implements SetKind {
    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public boolean isForSeveralThreads() {
        return true;
    }

    @Override
    public DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException {
        return new EpollHandleSet(kernel, deactivation);
    }
}
