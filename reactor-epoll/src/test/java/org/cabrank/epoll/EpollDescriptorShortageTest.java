package org.cabrank.epoll;

import org.cabrank.descriptor.contract.DescriptorShortageContract;
import org.cabrank.descriptor.contract.FaultyKernel;
import org.cabrank.descriptor.contract.FaultyKernel.Plan;
import org.cabrank.descriptor.contract.TestKernel;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.stream.contract.ReactorMode;

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
