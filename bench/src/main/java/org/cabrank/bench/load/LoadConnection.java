package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;

/**
 * One socket of the generator: connecting, sending until the kernel takes no more, and failing. What is sent and what is
 * expected is the subclass's. Belongs to its worker's thread.
 */
abstract class LoadConnection {

    private static final int INTEREST = Epoll.EPOLLIN | Epoll.EPOLLRDHUP;

    private static final String TOO_LATE = "connect: no answer in time";

    final LoadWorker worker;
    final Kernel kernel;
    final int index;
    private int fd = -1;
    private boolean connecting;
    private boolean settled;
    private boolean watchesOutput;
    private boolean open;

    LoadConnection(LoadWorker worker, int index) {
        this.worker = worker;
        this.kernel = worker.kernel();
        this.index = index;
    }

    /** Sends the first bytes: the connection stands. */
    abstract void start(long nowNs);

    /** Every connection of the worker has come or has failed to, and no rate sets the pace: what waited for that goes on. */
    void allHaveCome(long nowNs) {}

    /** There may be bytes to read. */
    abstract void readable();

    /** The socket takes bytes again. */
    abstract void writable();

    /** Whether something was sent whose answer is still missing. */
    abstract boolean awaitsAnswer();

    final boolean open() {
        return open;
    }

    /** Begins to connect; {@link #start} follows when it has worked, and {@link #settle} in any case. */
    final void connect(int domain, long address, int addressBytes) {
        int socket = kernel.socket(domain, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC, 0);
        if (socket < 0) {
            worker.failed("socket: " + Errno.describe(-socket));
            settle();
            return;
        }
        fd = socket;
        open = true;
        connecting = true;
        worker.opened();
        int tuned = worker.enableNoDelay(fd);
        int result = tuned < 0 ? tuned : kernel.connect(fd, address, addressBytes);
        if (result < 0 && result != -Errno.EINPROGRESS) {
            fail("connect: " + Errno.describe(-result));
            return;
        }
        watchesOutput = true;
        watch(Epoll.EPOLL_CTL_ADD);
    }

    final void ready(int events) {
        if (!open) {
            return;
        }
        if (connecting) {
            connected();
            return;
        }
        if ((events & ~Epoll.EPOLLOUT) != 0) {
            readable();
        }
        if (open && (events & Epoll.EPOLLOUT) != 0) {
            writable();
        }
    }

    private void connected() {
        int error = worker.socketError(fd);
        if (error != 0) {
            fail("connect: " + Errno.describe(error));
            return;
        }
        connecting = false;
        watchOutput(false);
        start(System.nanoTime());
    }

    /** Whoever is not there by now, or has not even begun, will not be waited for any longer. */
    final void giveUpConnecting() {
        if (connecting) {
            fail(TOO_LATE);
        } else if (fd < 0 && !settled) {
            worker.failed(TOO_LATE);
        }
        settle();
    }

    /** The connection has come, or has failed to: others may follow. Once; later calls are without effect. */
    final void settle() {
        if (!settled) {
            settled = true;
            worker.settled();
        }
    }

    /** How many of the {@code count} bytes at {@code address} the socket took; asks for {@link #writable} when not all. */
    final int send(long address, int count) {
        int sent = kernel.send(fd, address, count, Sockets.MSG_NOSIGNAL);
        if (sent == count) {
            watchOutput(false);
            return sent;
        }
        if (sent >= 0 || sent == -Errno.EAGAIN || sent == -Errno.EINTR) {
            watchOutput(true);
            return Math.max(0, sent);
        }
        fail("send: " + Errno.describe(-sent));
        return 0;
    }

    /** How many bytes were read into {@code address}: 0 when there are none or the connection has just ended. */
    final int receive(long address, int room) {
        int count = kernel.recv(fd, address, room, 0);
        if (count > 0) {
            return count;
        }
        if (count == 0) {
            fail(awaitsAnswer() ? "closed by the server before the answer" : "closed by the server");
        } else if (count != -Errno.EAGAIN && count != -Errno.EINTR) {
            fail("recv: " + Errno.describe(-count));
        }
        return 0;
    }

    /** Counts the error and closes. */
    final void fail(String kind) {
        worker.failed(kind);
        close();
    }

    final void close() {
        if (open) {
            open = false;
            connecting = false;
            // Nothing can be done about a failing close, and the descriptor is gone whatever the result.
            kernel.close(fd);
            worker.closed();
            settle();
        }
    }

    final void watchOutput(boolean wanted) {
        if (watchesOutput != wanted) {
            watchesOutput = wanted;
            watch(Epoll.EPOLL_CTL_MOD);
        }
    }

    private void watch(int operation) {
        int result = worker.watch(operation, fd, INTEREST | (watchesOutput ? Epoll.EPOLLOUT : 0), index);
        if (result < 0) {
            fail("epoll_ctl: " + Errno.describe(-result));
        }
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
