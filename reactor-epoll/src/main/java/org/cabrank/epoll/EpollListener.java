package org.cabrank.epoll;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.cabrank.descriptor.DescriptorOwner;
import org.cabrank.descriptor.spi.ListeningSocket;
import org.cabrank.descriptor.spi.PeerAddress;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.ConnectionHandler;

/**
 * Accepts connections for one shard. Out of descriptors it pauses, and goes on when one is free.
 *
 * <p>Its handle is concurrent: the kernel gives each accept(2) a connection of its own, and their order means nothing, so a
 * thread that is held up (by a service's supplier of handlers) holds up nobody else's connections.
 */
final class EpollListener implements EventHandler {
    /** Posted: accept what is there, then close. */
    static final int DRAIN = Ready.POSTED_3;

    /** Named bound: connections accepted in one go, before the others have their turn. */
    private static final int ACCEPTS_MAX = 64;

    /** Descriptors may also become free elsewhere in the process or the system, which nobody tells us. */
    private static final Duration RETRY = Duration.ofMillis(100);

    private final Kernel kernel;
    private final EpollShard shard;
    private final ListeningSocket socket;
    private final Supplier<ConnectionHandler> handlers;
    private final EpollHandle handle;
    private final ThreadLocal<PeerAddress> peers;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final AtomicInteger pauses = new AtomicInteger();

    private volatile boolean draining;

    /** The number of the pause, 0: none. Read by threads that close connections, too. */
    private final AtomicInteger paused = new AtomicInteger();

    /** @param exclusive the socket stands in several handle sets, one of which is to be woken */
    EpollListener(EpollShard shard, ListeningSocket socket, boolean exclusive, Supplier<ConnectionHandler> handlers) {
        this.kernel = shard.kernel();
        this.shard = shard;
        this.socket = socket;
        this.handlers = handlers;
        this.peers = ThreadLocal.withInitial(() -> new PeerAddress(kernel));
        int modes = exclusive ? Epoll.EPOLLEXCLUSIVE : 0;
        this.handle =
                new EpollHandle(shard.handleSet(), socket.fd(), Ready.READ, this, DescriptorOwner.CALLER, true, modes);
    }

    void start() throws IOException {
        shard.handleSet().admit(handle, 0, Handle.NO_DEADLINE);
    }

    void drain() {
        handle.post(DRAIN);
    }

    /** Any thread: accepts nothing more. */
    void close() {
        handle.close();
    }

    /** Any thread: a connection was closed, so a descriptor may be free. */
    void descriptorFreed() {
        if (paused.get() != 0) {
            handle.post(Ready.READ);
        }
    }

    @Override
    public void handleEvent(Handle own, int ready) throws IOException {
        if ((ready & DRAIN) != 0) {
            draining = true;
        }
        PeerAddress peer = peers.get();
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            int pause = paused.get();
            peer.prepare();
            int result = kernel.accept4(
                    socket.fd(), peer.address(), peer.lengthAddress(), Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            if (result >= 0) {
                resumed(pause);
                admit(result, peer);
            } else if (!goesOn(-result, pause)) {
                return;
            }
        }
        handle.post(Ready.READ);
    }

    /**
     * What becomes of each errno of accept(2). False: nothing can be accepted now.
     *
     * @param pause the one that there was before the call
     */
    private boolean goesOn(int errno, int pause) throws IOException {
        switch (errno) {
            case Errno.EAGAIN -> {
                resumed(pause);
                if (draining) {
                    handle.close();
                }
                return false;
            }
            // The connection is gone before it was accepted, or the network has an error pending on it: to the next.
            case Errno.EINTR,
                    Errno.ECONNABORTED,
                    Errno.EPROTO,
                    Errno.EPERM,
                    Errno.ENETDOWN,
                    Errno.ENOPROTOOPT,
                    Errno.EHOSTDOWN,
                    Errno.EHOSTUNREACH,
                    Errno.EOPNOTSUPP,
                    Errno.ENETUNREACH,
                    Errno.ETIMEDOUT -> {
                return true;
            }
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> {
                pause(errno);
                return false;
            }
            default -> throw Errno.exception("accept4 at " + socket.address(), -errno);
        }
    }

    private void pause(int errno) {
        if (draining) {
            handle.close(); // the queue of the kernel is refused with the socket
            return;
        }
        paused.set(pauses.incrementAndGet());
        handle.scheduleTimer(shard.handleSet().nanoTime() + RETRY.toNanos());
        if (warned.compareAndSet(false, true)) {
            shard.log(
                    System.Logger.Level.WARNING,
                    "accepting at " + socket.address() + " pauses until a descriptor is free: accept4: "
                            + Errno.describe(errno)
                            + "; raise the limit of open files (ulimit -n) or let idle connections time out"
                            + " (said once per listener)");
        }
    }

    /**
     * The call that has just returned shows that this pause is over. Another thread may have begun a new one meanwhile,
     * which then stands; and because of that thread's timer, none is cancelled: one that expires for nothing costs a call.
     */
    private void resumed(int pause) {
        if (pause != 0) {
            paused.compareAndSet(pause, 0);
        }
    }

    /** Whatever goes wrong concerns this connection alone: its descriptor goes back, and the listener goes on. */
    private void admit(int fd, PeerAddress peer) {
        try {
            SocketAddress remote = peer.decode();
            SocketAddress local = socket.addressOfAccepted();
            shard.admit(fd, remote, local != null ? local : shard.sockets().localAddress(fd), handler());
        } catch (Throwable refused) {
            shard.handleSet().closeQuietly(fd);
            if (refused instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            shard.handleSet().failures().log("a connection that was accepted could not be served", refused);
        }
    }

    private ConnectionHandler handler() {
        return Objects.requireNonNull(handlers.get(), "the supplier of handlers has answered null");
    }

    @Override
    public void handleClosed(Handle own, Throwable cause) {
        socket.release();
        shard.listenerClosed(this);
    }
}
