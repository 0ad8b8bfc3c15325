package org.cabrank.socket.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stand-ins for addresses of accepted connections that the kernel no longer reports.
 *
 * <p>The reactor asks the kernel only when the service asks for an address. The kernel does not answer after the close, and knows no peer
 * after a TCP reset. A service that has asked too late once will ask too late again, for example in {@code closed}. After the first late
 * question, listeners therefore read the peer of each connection when they accept it.
 */
public final class AcceptedAddresses {
    private static final SocketAddress UNKNOWN_PEER = new InetSocketAddress(0);
    private static final SocketAddress UNNAMED_PEER = UnixDomainSocketAddress.of("");

    private final SocketAddress listening;
    private final AtomicBoolean lateQuestion;

    /** @param lateQuestion true after a late question; shared by all listeners at this address */
    AcceptedAddresses(SocketAddress listening, AtomicBoolean lateQuestion) {
        this.listening = listening;
        this.lateQuestion = lateQuestion;
    }

    /** Returns the stand-in for a peer: the wildcard address with port 0, or a Unix address without a name. */
    SocketAddress unknownPeer() {
        return listening instanceof InetSocketAddress ? UNKNOWN_PEER : UNNAMED_PEER;
    }

    SocketAddress listening() {
        return listening;
    }

    void noteLateQuestion() {
        lateQuestion.set(true);
    }

    boolean areReadAtAccept() {
        return lateQuestion.get();
    }
}
