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

/** Accepts until the kernel's queue is empty. Pauses without descriptors, and continues when one is free. */
final class EpollListener extends SocketListener {
    private final EpollHandleSet set;

    /** True if the kernel reports this socket no more to this set. */
    private volatile boolean unwatched;

    /** {@code exclusive}: the socket is in several handle sets, one of which must be woken. */
    EpollListener(EpollShard shard, ListeningSocket socket, boolean exclusive, Accepting accepting) {
        super(shard, socket, accepting);
        this.set = shard.handleSet();
        int modes = exclusive ? Epoll.EPOLLEXCLUSIVE : 0;
        bind(new EpollHandle(set, socket.fd(), Ready.READ, shell(this), DescriptorOwner.CALLER, true, modes));
    }

    /** Shows the compiler that the handler is used only after this object is complete. */
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
            // A connection reported to this set since the accept wakes no other reactor of a shared socket: so this
            // listener checks once more after the removal.
            unwatched = true;
            set.unwatch(handle());
            acceptReady();
        } else {
            handle().close(); // without descriptors, connections in the kernel's queue are refused with the socket
        }
    }
}
