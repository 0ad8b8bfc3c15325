package org.cabrank.socket;

import java.util.Objects;

/** A service's handler for the datagrams of a socket. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * A datagram has arrived. Calls for one socket run on several threads of the pool at once, in no order, unless
     * {@link DatagramOptions#ordered} is set. An exception or an error concerns this datagram alone. It is counted, and logged once per
     * kind, and the socket continues, because one sender's mistake must not end the service for all senders.
     *
     * @param datagram belongs to the calling thread, valid during the call
     */
    void datagram(UdpSocket socket, Datagram datagram) throws Exception;

    /**
     * One system call has received datagrams ({@link DatagramOptions#batch}), in the order of arrival. Calls {@link #datagram} for each,
     * unless overridden. An exception of an overriding method concerns the whole batch.
     *
     * @param batch belongs to the calling thread, valid during the call
     */
    default void batch(UdpSocket socket, DatagramBatch batch) throws Exception {
        socket.deliverEach(batch);
    }

    /**
     * The network has reported an error about a sent datagram, and {@link DatagramOptions#errors} is set. May run on several threads, and
     * beside {@link #datagram}, unless {@link DatagramOptions#ordered} is set. An exception is counted and logged; the socket continues.
     */
    default void error(UdpSocket socket, DatagramError error) throws Exception {}

    /**
     * A datagram has gone to the network device, and {@link DatagramOptions#sendTimes} is set. Called as {@link #error} is.
     *
     * @param number number of the datagram among those of the socket, from 0, modulo 2<sup>32</sup>; a send with segments counts as one
     * @param timeNs time at which the kernel gave the datagram to the device, in nanoseconds since 1970 by CLOCK_REALTIME
     */
    default void sent(UdpSocket socket, long number, long timeNs) throws Exception {}

    /**
     * The network device has sent a datagram, and {@link DatagramOptions#sendTimes} is set together with
     * {@link DatagramDetail#HARDWARE_TIME}. Called as {@link #error} is, in addition to {@link #sent}; never if the device takes no times
     * (see {@code ethtool -T eth0}) or is not configured to take them ({@code hwstamp_ctl -i eth0 -t 1 -r 1}).
     *
     * @param number as in {@link #sent}
     * @param timeNs time at which the datagram left the device, in nanoseconds of the clock of the device (PTP hardware clock)
     */
    default void sentByDevice(UdpSocket socket, long number, long timeNs) throws Exception {}

    /** The queue ({@link DatagramOptions#queue}) has refused a send, and is at most half full now. Called as {@link #error} is. */
    default void writable(UdpSocket socket) throws Exception {}

    /**
     * The socket is closed; no other call follows or runs. At an ordered socket two calls may still run: the call that has closed the
     * socket, which contains this call, and a call that has waited for a reply ({@link org.cabrank.lf.Reply#await}) and thereby released
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
