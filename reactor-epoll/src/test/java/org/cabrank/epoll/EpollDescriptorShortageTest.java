package org.cabrank.epoll;

import org.cabrank.kernel.Errno;
import org.cabrank.socket.contract.DescriptorShortageContract;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/** {@link DescriptorShortageContract} over epoll. */
@Tag("newest") // on an older JDK in a soak only
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
