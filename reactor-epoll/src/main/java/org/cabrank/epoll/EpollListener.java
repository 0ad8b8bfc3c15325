package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.transport.AcceptOutcome;
import org.cabrank.socket.transport.Accepting;
import org.cabrank.socket.transport.ListeningSocket;
import org.cabrank.socket.transport.SocketListener;

/** Accepts until the kernel's queue is empty. Pauses while the process has no free descriptor. */
final class EpollListener extends SocketListener {
    private final EpollHandleSet set;

    /** True if the kernel does not report this socket to this set any more. */
    private volatile boolean unwatched;

    /** {@code exclusive} is true if the socket is in several handle sets, so that a connection wakes only one of them. */
    EpollListener(EpollShard shard, ListeningSocket socket, boolean exclusive, Accepting accepting) {
        super(shard, socket, accepting);
        this.set = shard.handleSet();
        int modes = exclusive ? Epoll.EPOLLEXCLUSIVE : 0;
        bind(new EpollHandle(set, socket.fd(), Ready.READ, shell(this), DescriptorOwner.CALLER, true, modes));
    }

    /** Prevents a compiler warning that {@code this} escapes. The handler is used only after this object is complete. */
    private static EventHandler shell(EpollListener listener) {
        return listener;
    }

    @Override
    protected void start() throws IOException {
        set.admit((EpollHandle) handle(), 0, Handle.NO_DEADLINE);
    }

    @Override
    protected void acceptReady() throws IOException {
        AcceptOutcome last = acceptByReadiness();
        if (!isDraining() || last == null) {
            return;
        }
        if (last == AcceptOutcome.NONE && !unwatched) {
            // Other reactors may share the socket. A connection may have been reported to this set after the last
            // accept. The kernel does not report that connection to another reactor, so this listener accepts once more
            // after the removal.
            unwatched = true;
            set.unwatch(handle());
            acceptReady();
        } else {
            handle().close(); // if descriptors are short, the close refuses connections in the kernel's queue
        }
    }
}
