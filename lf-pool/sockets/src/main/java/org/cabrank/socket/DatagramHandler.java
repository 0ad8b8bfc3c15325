package org.cabrank.socket;

import java.util.Objects;

/** A service's handler for the datagrams of a socket. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * A datagram has arrived. Several threads of the pool call this method at once for one socket, in no order, unless
     * {@link DatagramOptions#ordered} is set. An exception is counted, and logged once per kind. The socket stays open.
     *
     * @param datagram belongs to the calling thread, valid during the call
     */
    void datagram(UdpSocket socket, Datagram datagram) throws Exception;

    /**
     * Datagrams have arrived together ({@link DatagramOptions#batch}). The default implementation calls {@link #datagram} for each
     * datagram. If an overriding method throws an exception, all datagrams of the batch count as failed.
     *
     * @param batch belongs to the calling thread, valid during the call
     */
    default void batch(UdpSocket socket, DatagramBatch batch) throws Exception {
        socket.deliverEach(batch);
    }

    /**
     * The network has reported an error about a sent datagram ({@link DatagramOptions#errors}). Unless {@link DatagramOptions#ordered} is
     * set, several threads may call this method at once, even while {@link #datagram} runs. An exception is only counted and logged.
     */
    default void error(UdpSocket socket, DatagramError error) throws Exception {}

    /**
     * A datagram has gone to the network device ({@link DatagramOptions#sendTimes}). Threads and exceptions are as for {@link #error}.
     *
     * @param number number of the datagram in this socket, from 0, modulo 2<sup>32</sup>. A send with segments counts as one datagram
     * @param timeNs nanoseconds since 1970 by CLOCK_REALTIME
     */
    default void sent(UdpSocket socket, long number, long timeNs) throws Exception {}

    /**
     * The network device has sent a datagram. Called like {@link #sent}, and in addition to it, if {@link DatagramDetail#HARDWARE_TIME} is
     * set and the device takes times (see {@code ethtool -T eth0}, {@code hwstamp_ctl -i eth0 -t 1 -r 1}).
     *
     * @param number as in {@link #sent}
     * @param timeNs time at which the datagram left the device, in nanoseconds of the clock of the device (PTP hardware clock)
     */
    default void sentByDevice(UdpSocket socket, long number, long timeNs) throws Exception {}

    /** The {@link DatagramOptions#queue} had refused a datagram, and is now at most half full. Called like {@link #error}. */
    default void writable(UdpSocket socket) throws Exception {}

    /**
     * The socket is closed, and the handler is not called again. The calls of an unordered socket have returned. In an ordered socket, the
     * call that has closed the socket or has waited for a reply ({@link org.cabrank.lf.Reply#await}) may still run. {@code cause} is null
     * unless a failure closed the socket.
     */
    default void closed(UdpSocket socket, Throwable cause) {}

    /** Returns a handler that passes whole batches to {@code handler}. */
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
