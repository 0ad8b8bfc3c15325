package org.cabrank.bench.hshr;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;

/** Accepts on the I/O thread. */
final class Acceptor implements EventHandler {

    /** Named bound: connections accepted in one go, before other handles have their turn. */
    private static final int ACCEPTS_MAX = 64;

    /** Delay before accepting again after a shortage of descriptors or memory, because the kernel does not report its end. */
    private static final Duration RETRY = Duration.ofMillis(100);

    private final Kernel kernel;
    private final EpollHandleSet set;
    private final int listenFd;
    private final Connections connections;

    /** Makes the handler of an accepted socket. */
    interface Connections {
        EventHandler of(int fd);
    }

    Acceptor(Kernel kernel, EpollHandleSet set, int listenFd, Connections connections) {
        this.kernel = kernel;
        this.set = set;
        this.listenFd = listenFd;
        this.connections = connections;
    }

    @Override
    public void handleEvent(Handle own, int ready) throws IOException {
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            int result = kernel.accept4(listenFd, 0, 0, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            if (result >= 0) {
                admit(result);
            } else if (!goesOn(own, -result)) {
                return;
            }
        }
        own.post(Ready.READ);
    }

    private boolean goesOn(Handle own, int errno) throws IOException {
        switch (errno) {
            case Errno.EAGAIN -> {
                return false;
            }
            case Errno.EINTR, Errno.ECONNABORTED, Errno.EPROTO -> {
                return true; // the connection is gone before it was accepted
            }
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> {
                set.failures().log("accepting pauses", Errno.exception("accept4", -errno));
                own.scheduleTimer(set.nanoTime() + RETRY.toNanos());
                return false;
            }
            default -> throw Errno.exception("accept4", -errno);
        }
    }

    private void admit(int fd) {
        try {
            set.register(fd, Ready.READ | Ready.WRITE, connections.of(fd));
        } catch (IOException refused) {
            kernel.close(fd);
            set.failures().log("a connection that was accepted could not be served", refused);
        }
    }
}
