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

/**
 * Accepts connections by a multishot request. If the server has an accept rate, accepts by single requests, so that the other connections
 * stay in the backlog. During a drain, accepts by accept4(2).
 */
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

    /** Prevents a compiler warning that {@code this} escapes. The handler is used only after this object is complete. */
    private static EventHandler shell(RingListener listener) {
        return listener;
    }

    @Override
    protected void start() throws IOException {
        set.start((RingHandle) handle(), 0, Handle.NO_DEADLINE);
    }

    /** Does nothing, because {@link AcceptRequests} releases the socket when the last request has ended. */
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
            handle().close(); // if descriptors are short, the close refuses connections in the kernel's queue
        }
    }

    /** Returns true if all accepted connections were admitted, so that more may be requested. */
    private boolean admitAccepted() throws IOException {
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            if (isPausedByService()) {
                requests.end(); // connections accepted before the request ends wait here until the pause ends
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
                admit(result); // without address: a multishot accept has one place for all addresses
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
