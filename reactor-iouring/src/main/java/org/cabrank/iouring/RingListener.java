package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.transport.AcceptOutcome;
import org.cabrank.socket.transport.Accepting;
import org.cabrank.socket.transport.ListeningSocket;
import org.cabrank.socket.transport.SocketListener;

/** Accepts by multishot requests; with an accept rate by single ones, which leave others in the backlog; in a drain by system calls. */
final class RingListener extends SocketListener {
    private final RingHandleSet set;
    private final AcceptRequests requests;

    RingListener(RingShard shard, ListeningSocket socket, Accepting accepting) {
        super(shard, socket, accepting);
        this.set = shard.handleSet();
        RingHandle handle = new RingHandle(
                set,
                socket.fd(),
                Ready.READ,
                shell(this),
                DescriptorOwner.CALLER,
                true,
                own -> new AcceptRequests(set, own, accepting.hasRate(), socket::release));
        this.requests = (AcceptRequests) handle.requests();
        bind(handle);
    }

    /** Lets the compiler see that the handler is used only after this object is complete. */
    private static EventHandler shell(RingListener listener) {
        return listener;
    }

    @Override
    protected void start() throws IOException {
        set.start((RingHandle) handle(), 0, Handle.NO_DEADLINE);
    }

    /** The requests release the socket when the last of them has ended. */
    @Override
    protected void releaseSocket() {}

    @Override
    protected void acceptReady() throws IOException {
        if (isDraining()) {
            requests.drain();
        }
        if (!admitAccepted()) {
            return;
        }
        if (!isDraining()) {
            requests.resume();
            if (set.isRelieved()) {
                acceptByReadiness();
            }
        } else if (requests.isDrained()
                && acceptByReadiness() != null) { // otherwise the last completion calls the handler again
            handle().close(); // without descriptors, connections in the kernel's queue are refused with the socket
        }
    }

    /** Returns true if all accepted connections were admitted: more may be requested. */
    private boolean admitAccepted() throws IOException {
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            if (isPausedByService()) {
                requests.end(); // connections that the kernel accepts before that end wait here until the pause ends
                return false;
            }
            boolean byRate = hasRate();
            if (byRate && requests.isDone()) {
                return true;
            }
            if (byRate && !mayAccept()) {
                return false;
            }
            int before = pause().current();
            int result = requests.poll();
            if (result >= 0) {
                pause().end(before);
                accepted();
                admit(result); // a multishot accept has one place for the addresses of all connections
                continue;
            }
            if (byRate) {
                noneAccepted();
            }
            if (result == AcceptResults.NONE) {
                return true;
            }
            AcceptOutcome outcome = outcome(-result);
            if ((outcome == AcceptOutcome.SHORTAGE || outcome == AcceptOutcome.REFUSED) && !isDraining()) {
                pause(outcome, -result);
                return false;
            }
        }
        handle().post(Ready.READ);
        return false;
    }
}
