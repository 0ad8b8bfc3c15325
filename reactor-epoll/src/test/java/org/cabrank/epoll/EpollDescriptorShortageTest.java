package org.cabrank.epoll;

import org.cabrank.kernel.Errno;
import org.cabrank.socket.contract.DescriptorShortageContract;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;

/** {@link DescriptorShortageContract} over epoll. */
class EpollDescriptorShortageTest extends DescriptorShortageContract {
    private final FaultyKernel kernel = new FaultyKernel(TestKernel.any());

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel);
    }

    @Override
    protected void refuseFirstConnection() {
        kernel.plan("accept4", Plan.first(-Errno.EMFILE, -Errno.EMFILE));
    }
}
