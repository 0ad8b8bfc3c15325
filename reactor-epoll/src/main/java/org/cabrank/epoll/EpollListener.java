package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorOwner;
import org.cabrank.socket.transport.AcceptOutcome;
import org.cabrank.socket.transport.Accepting;
import org.cabrank.socket.transport.ListeningSocket;
import org.cabrank.socket.transport.SocketListener;

/** Accepts until the kernel has nothing more. Out of descriptors it pauses, and goes on when one is free. */
final class EpollListener extends SocketListener {
    private final EpollHandleSet set;

    /** The kernel reports nothing of the socket to this set any more. */
    private volatile boolean unwatched;

    /** @param exclusive the socket stands in several handle sets, one of which is to be woken */
    EpollListener(EpollShard shard, ListeningSocket socket, boolean exclusive, Accepting accepting) {
        super(shard, socket, accepting);
        this.set = shard.handleSet();
        int modes = exclusive ? Epoll.EPOLLEXCLUSIVE : 0;
        bind(new EpollHandle(set, socket.fd(), Ready.READ, shell(this), DescriptorOwner.CALLER, true, modes));
    }

    /** Lets the compiler see that the handler is used only when this is complete. */
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
            // The kernel may have reported a connection to this set alone since the accept, and wakes no other reactor
            // of a shared socket for it: so this listener looks once more when nothing is reported to it.
            unwatched = true;
            set.unwatch(handle());
            acceptReady();
        } else {
            handle().close(); // out of descriptors, what is left in the kernel's queue is refused with the socket
        }
    }
}
