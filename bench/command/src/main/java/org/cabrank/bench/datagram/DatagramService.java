package org.cabrank.bench.datagram;

import java.time.Duration;

/** A server of datagrams, as the command runs it. Any thread. */
public interface DatagramService {
    /**
     * Handles what was received, and closes the datagram sockets.
     *
     * @return false if something was left when {@code limit} had passed
     */
    boolean drain(Duration limit) throws InterruptedException;

    /** Description of the work so far, for the end. */
    String totals();
}
