package org.cabrank.iouring;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.SocketOps;

/** Descriptors of Unix sockets for a trial of the kernel. {@code own} and {@code peer} are connected. */
record TrialSockets(int listening, int own, int peer) {
    private static final AtomicLong NUMBERS = new AtomicLong();

    static TrialSockets open(Kernel kernel) throws IOException {
        SocketOps sockets = new SocketOps(kernel);
        AbstractUnixAddress address = new AbstractUnixAddress(
                "cabrank-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet() + "-" + System.nanoTime());
        int listening = Errno.check("socket", sockets.streamSocket(address));
        int own = -1;
        int peer = -1;
        try {
            Errno.check("bind", sockets.bind(listening, address));
            Errno.check("listen", kernel.listen(listening, 1));
            own = Errno.check("socket", sockets.streamSocket(address));
            Errno.check("connect", sockets.connect(own, address));
            peer = Errno.check("accept4", kernel.accept4(listening, 0, 0, Sockets.SOCK_CLOEXEC));
        } finally {
            if (peer < 0) {
                kernel.close(listening);
            }
            if (peer < 0 && own >= 0) {
                kernel.close(own);
            }
        }
        return new TrialSockets(listening, own, peer);
    }
}
