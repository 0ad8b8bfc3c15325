package org.cabrank.socket;

import java.util.Objects;

/** A service's handler for the datagrams of a socket. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * A datagram has come. Calls for one socket come on several threads of the pool at once, and in no order, unless
     * {@link DatagramOptions#ordered} is set. An exception or an error concerns this datagram alone: the failure is counted and
     * logged once per kind, and the socket goes on, because one sender's mistake must not end the service for all senders.
     *
     * @param datagram the calling thread's, valid during the call
     */
    void datagram(UdpSocket socket, Datagram datagram) throws Exception;

    /**
     * Datagrams have come that one system call has received ({@link DatagramOptions#batch}), in the order of arrival. Calls
     * {@link #datagram} for each, unless a handler overrides this method. An exception of an overriding method concerns the whole
     * batch, otherwise as with {@link #datagram}.
     *
     * @param batch the calling thread's, valid during the call
     */
    default void batch(UdpSocket socket, DatagramBatch batch) throws Exception {
        socket.deliverEach(batch);
    }

    /**
     * The network has reported an error about a datagram that the socket has sent, and {@link DatagramOptions#errors} is set. Several
     * threads may call this at once with calls of {@link #datagram}, unless {@link DatagramOptions#ordered} is set. An exception is
     * counted and logged, and the socket goes on.
     */
    default void error(UdpSocket socket, DatagramError error) throws Exception {}

    /**
     * A datagram has gone to the network device, and {@link DatagramOptions#sendTimes} is set. Called as {@link #error} is.
     *
     * @param number of the datagram among those that the socket has sent, from 0, modulo 2<sup>32</sup>; a send with segments counts
     *     as one
     * @param timeNs time at which the kernel gave the datagram to the device, in nanoseconds since 1970 by CLOCK_REALTIME
     */
    default void sent(UdpSocket socket, long number, long timeNs) throws Exception {}

    /**
     * The network device has sent a datagram, and {@link DatagramOptions#sendTimes} is set together with {@link
     * DatagramDetail#HARDWARE_TIME}. Called as {@link #error} is, in addition to {@link #sent}; never if the device takes no times
     * ({@code ethtool -T eth0} says) or is not told to ({@code hwstamp_ctl -i eth0 -t 1 -r 1}).
     *
     * @param number as in {@link #sent}
     * @param timeNs time at which the datagram left the device, in nanoseconds of the clock of the device (PTP hardware clock)
     */
    default void sentByDevice(UdpSocket socket, long number, long timeNs) throws Exception {}

    /**
     * A send was refused because the queue of the socket was full ({@link DatagramOptions#queue}), and no more than half of the queue is
     * in use now. Called as {@link #error} is.
     */
    default void writable(UdpSocket socket) throws Exception {}

    /**
     * The socket is closed, and no other call follows or runs. At an ordered socket two calls may run: one that has closed the socket,
     * inside of which this call comes; and one that has waited for a reply ({@link org.cabrank.lf.Reply#await}), which has let go of
     * the socket. {@code cause} is null unless a failure closed the socket.
     */
    default void closed(UdpSocket socket, Throwable cause) {}

    /** Returns a handler that takes whole batches. */
    static DatagramHandler ofBatches(DatagramBatchHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return new DatagramHandler() {
            @Override
            public void datagram(UdpSocket socket, Datagram datagram) {
                throw new IllegalStateException("datagrams come in batches");
            }

            @Override
            public void batch(UdpSocket socket, DatagramBatch batch) throws Exception {
                handler.batch(socket, batch);
            }
        };
    }
}
