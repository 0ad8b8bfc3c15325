package org.cabrank.iouring.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;

/**
 * Wakes by a write to an eventfd that a multishot poll watches. The eventfd is never read, because the poll reports each write. Its counter
 * does not overflow in practice. If no poll is armed at a write, the next poll finds the write.
 */
final class EventfdWaker extends Waker {
    private final Kernel kernel;
    private final int fd;
    private final ByteBuffer one = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    private final long oneAddress;

    private boolean armed;

    EventfdWaker(Kernel kernel) throws IOException {
        this.kernel = kernel;
        one.putLong(0, 1);
        this.oneAddress = kernel.addressOf(one);
        this.fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
    }

    @Override
    int wake() {
        int result;
        do {
            result = kernel.write(fd, oneAddress, Long.BYTES);
        } while (result == -Errno.EINTR);
        return Math.min(result, 0);
    }

    @Override
    void enabled() {}

    @Override
    void arm(SubmissionQueue submissions) {
        if (!armed) {
            armed = true;
            submissions.pollMultishot(fd, Epoll.EPOLLIN, Ring.WAKEUP);
        }
    }

    /** The kernel ends the poll when the completion queue overflows, or when the thread that submitted the poll ends. */
    @Override
    void harvested(int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            armed = false;
        }
    }

    @Override
    void close() {
        kernel.close(fd);
    }
}
