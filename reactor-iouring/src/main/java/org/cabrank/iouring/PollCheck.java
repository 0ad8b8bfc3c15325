package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.socket.DescriptorHandle;

/**
 * Checks, before a registration, that the descriptor can be watched. The check adds the descriptor to an epoll instance and removes it
 * again. A poll request cannot check this, because it fails only when it completes, and reports a regular file as always ready.
 */
final class PollCheck implements AutoCloseable {
    private final Kernel kernel;
    private final ByteBuffer event =
            ByteBuffer.allocateDirect(EpollEvent.SIZE_BYTES).order(ByteOrder.nativeOrder());
    private final Set<Integer> registered = new HashSet<>();
    private int epollFd = -1;

    PollCheck(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Throws an exception if the descriptor cannot be watched. */
    synchronized void register(DescriptorHandle handle) throws IOException {
        int fd = handle.fd();
        if (registered.contains(fd)) {
            throw refusal(handle, Errno.EEXIST);
        }
        if (epollFd < 0) {
            epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
            if (epollFd == fd) { // the handle's descriptor was not open
                throw refusal(handle, Errno.EBADF);
            }
        }
        int result = NativeArgument.pass(
                kernel, event, address -> kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_ADD, fd, address));
        if (result < 0) {
            throw refusal(handle, -result);
        }
        int removed = kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_DEL, fd, 0);
        if (removed < 0) {
            throw refusal(handle, -removed);
        }
        registered.add(fd);
    }

    private static IOException refusal(DescriptorHandle handle, int errno) {
        String reason = switch (errno) {
            case Errno.EBADF -> ", it is not open";
            case Errno.EEXIST -> ", it is registered in this set already";
            case Errno.EPERM -> ", a regular file or a directory is always ready and cannot be waited for";
            default -> "";
        };
        return Errno.exception(handle + " cannot be registered" + reason + ": poll", -errno);
    }

    /** Called before the descriptor's number may be reused. */
    synchronized void deregister(int fd) {
        registered.remove(fd);
    }

    @Override
    public synchronized void close() {
        if (epollFd >= 0) {
            kernel.close(epollFd);
            epollFd = -1;
        }
    }
}
