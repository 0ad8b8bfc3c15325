package org.cabrank.socket.calls;

import org.cabrank.kernel.SocketAddresses;

/** Memory of a reactor for one received datagram, its sender's address and its control data (cmsg(3)). Used by one thread at a time. */
public abstract class DatagramSlot {
    /** Bytes for all control data at once: IPv6 destination 40, traffic classes 2 × 24, timestamps 64, drops 24, segments 24. */
    public static final int CONTROL_BYTES = 256;

    public static final int NAME_BYTES = SocketAddresses.ROOM_BYTES;

    private final int number;

    protected DatagramSlot(int number) {
        this.number = number;
    }

    public final int number() {
        return number;
    }

    /** @param sentBytes number of bytes that the sender has sent, possibly more than the slot has room for */
    public abstract void filled(int nameBytes, int writtenControlBytes, int sentBytes);
}
