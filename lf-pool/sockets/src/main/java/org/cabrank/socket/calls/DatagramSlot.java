package org.cabrank.socket.calls;

import org.cabrank.kernel.SocketAddresses;

/**
 * Memory of a reactor for one received datagram, with the address of its sender and its control data (cmsg(3)). The reactor fills a slot
 * before it makes the datagram known. One thread at a time uses a slot.
 */
public abstract class DatagramSlot {
    /** Bytes for all control data at once: IPv6 destination 40, traffic classes 2 × 24, timestamps 64, drops 24, segments 24. */
    public static final int CONTROL_BYTES = 256;

    public static final int NAME_BYTES = SocketAddresses.ROOM_BYTES;

    private final int number;

    /** @param number number that identifies the memory to the reactor */
    protected DatagramSlot(int number) {
        this.number = number;
    }

    public final int number() {
        return number;
    }

    /** @param sentBytes bytes that the sender has sent: more than there is room for if the datagram is truncated */
    public abstract void filled(int nameBytes, int writtenControlBytes, int sentBytes);
}
