package org.cabrank.socket.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stand-ins for addresses of accepted connections that the kernel tells no more, and a note that they were needed. An address that
 * came without a call of its own is known; for any other the kernel is asked when the service asks. The kernel does not answer once
 * the descriptor is closed, and knows no peer once a TCP connection is reset. A service that has asked too late for a peer will do so
 * again, in {@code closed} for example: from then on listeners ask for each connection that they accept. Any thread.
 */
public final class AcceptedAddresses {
    private static final SocketAddress UNKNOWN_PEER = new InetSocketAddress(0);
    private static final SocketAddress UNNAMED_PEER = UnixDomainSocketAddress.of("");

    private final SocketAddress listening;
    private final AtomicBoolean lateQuestion;

    /**
     * @param listening the address of the listener
     * @param lateQuestion one for all listeners at this address
     */
    AcceptedAddresses(SocketAddress listening, AtomicBoolean lateQuestion) {
        this.listening = listening;
        this.lateQuestion = lateQuestion;
    }

    /** Returns the stand-in for a peer: the wildcard address with port 0, or a Unix address without a name. */
    SocketAddress unknownPeer() {
        return listening instanceof InetSocketAddress ? UNKNOWN_PEER : UNNAMED_PEER;
    }

    /** Returns the stand-in for the own side of a connection. */
    SocketAddress listening() {
        return listening;
    }

    /** The service has asked for a peer that the kernel does not know any more. */
    void noteLateQuestion() {
        lateQuestion.set(true);
    }

    /** Returns true if peers are asked for when they are accepted. */
    boolean areReadAtAccept() {
        return lateQuestion.get();
    }
}
