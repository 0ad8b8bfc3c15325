package org.cabrank.socket;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Timers;
import org.cabrank.lf.bound.BoundChannel;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.SocketOps;

/** A stream connection that bound threads share ({@link BoundThreadPool}). Each thread sends by itself; the leader receives. */
public final class BoundSocketChannel implements BoundChannel {
    private static final int COPY_BYTES = 64 << 10;

    private final Kernel kernel;
    private final DescriptorSet set;
    private final int fd;

    /** Memory for bytes to send that are not in direct memory. Used by the sending thread only. */
    private final ByteBuffer copy = ByteBuffer.allocateDirect(COPY_BYTES);

    private final long copyAddress;

    /** Buffer of the last receive. Used by the thread that processes the handle. */
    private ByteBuffer lastRoom;

    private long lastRoomAddress;
    private DescriptorHandle handle;

    private BoundSocketChannel(DescriptorSet set, int fd) {
        this.kernel = set.kernel();
        this.set = set;
        this.fd = fd;
        this.copyAddress = kernel.addressOf(copy);
    }

    /**
     * Connects to {@code address} (TCP or Unix). The calling thread waits until the connection is established.
     *
     * @param set handle set that watches the connection after {@link BoundThreadPool#open} has registered the channel
     * @throws SocketTimeoutException if the peer has not answered in time
     * @throws IOException if the peer refuses, or the process has reached its limit of descriptors
     */
    public static BoundSocketChannel connect(DescriptorSet set, SocketAddress address, Duration timeout)
            throws IOException {
        Kernel kernel = set.kernel();
        SocketOps sockets = new SocketOps(kernel);
        int fd = Errno.check("connect to " + address + ": socket", sockets.streamSocket(address));
        try {
            if (address instanceof InetSocketAddress) {
                Errno.check("setsockopt TCP_NODELAY", sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1));
            }
            int result = sockets.connect(fd, address);
            if (result == -Errno.EINPROGRESS
                    || result == -Errno.EINTR) { // the connect continues in the kernel (connect(2))
                if (!awaitWritable(kernel, fd, timeout)) {
                    throw new SocketTimeoutException("connect to " + address + " took longer than " + timeout);
                }
                result = -sockets.pendingError(fd);
            }
            Errno.check("connect to " + address, result);
            return new BoundSocketChannel(set, fd);
        } catch (Throwable refused) {
            set.closeQuietly(fd);
            throw refused;
        }
    }

    /** Waits with a new epoll instance, because the set may have no leader yet. Returns false after the timeout. */
    private static boolean awaitWritable(Kernel kernel, int fd, Duration timeout) throws IOException {
        int epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        try {
            ByteBuffer event = ByteBuffer.allocateDirect(EpollEvent.SIZE_BYTES).order(ByteOrder.nativeOrder());
            event.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLOUT);
            long address = kernel.addressOf(event);
            Errno.check("epoll_ctl", kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_ADD, fd, address));
            long timeoutNs = Timers.delayNs(timeout);
            long startNs = System.nanoTime();
            int count;
            do {
                long restMs = (timeoutNs - (System.nanoTime() - startNs)) / 1_000_000;
                count = kernel.epollWait(epollFd, address, 1, (int) Math.max(0, Math.min(restMs, Integer.MAX_VALUE)));
            } while (count == -Errno.EINTR);
            Reference.reachabilityFence(event);
            return Errno.check("epoll_wait", count) > 0;
        } finally {
            kernel.close(epollFd);
        }
    }

    @Override
    public Handle register(LeaderFollowersPool pool, EventHandler handler) throws IOException {
        if (handle != null) {
            throw new IllegalStateException(this + " is registered already");
        }
        boolean oneshot = set.deactivation()
                == Deactivation.ONESHOT; // with oneshot, an interest in output would be reported at once
        try {
            if (LeaderFollowersPool.of(set) != pool) {
                throw new IllegalArgumentException(
                        this + " was made for a handle set that " + pool + " does not serve");
            }
            handle = set.registerBorrowed(fd, oneshot ? Ready.READ : Ready.READ | Ready.WRITE, handler);
            return handle;
        } catch (Throwable refused) {
            close();
            throw refused;
        }
    }

    @Override
    public int receive(ByteBuffer room) throws IOException {
        if (room != lastRoom) {
            lastRoom = room;
            lastRoomAddress = kernel.addressOf(room);
        }
        for (; ; ) {
            int result = kernel.recv(fd, lastRoomAddress + room.position(), room.remaining(), 0);
            Reference.reachabilityFence(room);
            if (result > 0) {
                room.position(room.position() + result);
                return result;
            }
            if (result == 0) {
                return -1;
            }
            if (result == -Errno.EAGAIN) {
                return 0;
            }
            if (result != -Errno.EINTR) {
                throw Errno.exception(this + ": recv", result);
            }
        }
    }

    @Override
    public void send(ByteBuffer data) throws IOException {
        boolean taken = true;
        if (data.isDirect()) {
            taken = sendFrom(kernel.addressOf(data), data);
            Reference.reachabilityFence(data);
        }
        while (taken && data.hasRemaining()) {
            copy.clear();
            int count = Math.min(copy.remaining(), data.remaining());
            copy.put(0, data, data.position(), count).limit(count);
            taken = sendFrom(copyAddress, copy);
            data.position(data.position() + copy.position());
        }
    }

    private boolean sendFrom(long address, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            int result = kernel.send(fd, address + data.position(), data.remaining(), Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                data.position(data.position() + result);
            } else if (result == -Errno.EAGAIN) {
                return false;
            } else if (result != -Errno.EINTR) {
                throw Errno.exception(this + ": send", result);
            }
        }
        return true;
    }

    @Override
    public void wantRoom(boolean wanted) throws IOException {
        // Only ONESHOT needs a change of the interest. With CLAIM the registration already includes READ and WRITE.
        if (set.deactivation() == Deactivation.ONESHOT) {
            set.interest(handle, wanted ? Ready.READ | Ready.WRITE : Ready.READ);
        }
    }

    @Override
    public void close() {
        set.closeQuietly(fd);
    }

    @Override
    public String toString() {
        return "bound connection, fd " + fd;
    }
}
