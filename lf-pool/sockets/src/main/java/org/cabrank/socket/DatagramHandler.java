package org.cabrank.socket;

/** A service's handler for the datagrams of a socket. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * A datagram has come. Calls for one socket come on several threads of the pool at once, and in no order: datagrams have
     * none. An exception, a {@link StackOverflowError} or an {@link OutOfMemoryError} concerns this datagram alone: it is
     * counted and logged once per kind, and the socket goes on, because one sender's mistake must not end the service for
     * the others. An error that {@link org.cabrank.lf.failure.FatalErrors ends the thread} closes the socket.
     *
     * @param datagram the calling thread's, valid during the call
     */
    void datagram(UdpSocket socket, Datagram datagram) throws Exception;

    /** The socket is closed, and no other call runs or follows. {@code cause} is null unless a failure closed it. */
    default void closed(UdpSocket socket, Throwable cause) {}
}
