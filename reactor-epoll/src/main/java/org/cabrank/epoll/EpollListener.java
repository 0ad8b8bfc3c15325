package org.cabrank.epoll;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.descriptor.DescriptorOwner;
import org.cabrank.descriptor.spi.AcceptOutcome;
import org.cabrank.descriptor.spi.AcceptPause;
import org.cabrank.descriptor.spi.ListeningSocket;
import org.cabrank.descriptor.spi.PeerAddress;
import org.cabrank.kernel.Epoll;
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

    private final Kernel kernel;
    private final EpollShard shard;
    private final ListeningSocket socket;
    private final Supplier<ConnectionHandler> handlers;
    private final EpollHandle handle;
    private final ThreadLocal<PeerAddress> peers;
    private final AcceptPause pause;

    private volatile boolean draining;

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
        this.pause = new AcceptPause(handle, socket.address());
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
        pause.descriptorFreed();
    }

    @Override
    public void handleEvent(Handle own, int ready) throws IOException {
        if ((ready & DRAIN) != 0) {
            draining = true;
        }
        PeerAddress peer = peers.get();
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            int before = pause.current();
            peer.prepare();
            int result = kernel.accept4(
                    socket.fd(), peer.address(), peer.lengthAddress(), Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            if (result >= 0) {
                pause.end(before);
                admit(result, peer);
            } else if (!goesOn(-result, before)) {
                return;
            }
        }
        handle.post(Ready.READ);
    }

    /**
     * False: nothing can be accepted now.
     *
     * @param before the pause that there was before the call
     */
    private boolean goesOn(int errno, int before) throws IOException {
        AcceptOutcome outcome = AcceptOutcome.of(errno, socket.address());
        if (outcome == AcceptOutcome.NEXT) {
            return true;
        }
        if (draining) {
            handle.close(); // out of descriptors, what is left in the kernel's queue is refused with the socket
        } else if (outcome == AcceptOutcome.SHORTAGE) {
            pause.begin(errno);
        } else {
            pause.end(before);
        }
        return false;
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
