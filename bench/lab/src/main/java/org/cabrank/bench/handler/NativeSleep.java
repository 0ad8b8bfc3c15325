package org.cabrank.bench.handler;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/** Sleeps in epoll_wait(2) on an empty set. A virtual thread does not unmount in native code. Safe for use by any thread. */
final class NativeSleep {

    private static final long NS_PER_MS = 1_000_000;

    /** Opened on first use, so that a server that never sleeps opens no descriptor. */
    private static final class Opened {
        static final NativeSleep ONE = open();
    }

    private final Kernel kernel;
    private final int epollFd;

    /** The kernel never writes to this buffer, because the epoll set is empty. */
    private final ByteBuffer events;

    private final long eventsAddress;

    private NativeSleep(Kernel kernel, int epollFd) {
        this.kernel = kernel;
        this.epollFd = epollFd;
        events = ByteBuffer.allocateDirect(EpollEvent.SIZE_BYTES);
        eventsAddress = kernel.addressOf(events);
    }

    private static NativeSleep open() {
        try {
            Kernel kernel = Kernels.system();
            return new NativeSleep(kernel, Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC)));
        } catch (KernelUnavailableException | KernelException refused) {
            throw new IllegalStateException(
                    "requests cannot sleep in native code: " + refused.getMessage() + "; choose another way to block",
                    refused);
        }
    }

    /** Rounds {@code timeNs} up to 1 ms. */
    static void sleep(long timeNs) {
        Opened.ONE.sleepMs(timeNs);
    }

    private void sleepMs(long timeNs) {
        long start = System.nanoTime();
        for (long left = timeNs; left > 0; left = timeNs - (System.nanoTime() - start)) {
            int result =
                    kernel.epollWait(epollFd, eventsAddress, 1, Math.toIntExact((left + NS_PER_MS - 1) / NS_PER_MS));
            // EINTR: a signal interrupted the wait, and the loop waits for the rest of the time.
            if (result < 0 && result != -Errno.EINTR) {
                throw new IllegalStateException("the handler cannot sleep: epoll_wait: " + Errno.describe(-result));
            }
        }
    }
}
