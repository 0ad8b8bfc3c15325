package org.cabrank.descriptor;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.descriptor.spi.PeerAddress;
import org.cabrank.kernel.Kernel;

/** A datagram that has been received, in the memory of the thread that handles it; the next one takes its place. */
public final class Datagram {
    private final UdpSocket socket;
    private final PeerAddress sender;
    private final ByteBuffer received = ByteBuffer.allocateDirect(UdpSocket.BYTES_MAX);
    private final long receivedAddress;
    private boolean inUse;

    Datagram(UdpSocket socket, Kernel kernel) {
        this.socket = socket;
        this.sender = new PeerAddress(kernel);
        this.receivedAddress = kernel.addressOf(received);
    }

    /** What was sent, from the buffer's position to its limit; big-endian until the handler sets another order. */
    public ByteBuffer data() {
        requireInUse();
        return received;
    }

    /** Who sent it. Allocates: to answer, {@link #reply} does without. */
    public InetSocketAddress sender() {
        requireInUse();
        return (InetSocketAddress) sender.decode();
    }

    /**
     * Sends the remaining bytes of {@code data} to the sender, and has consumed them when it returns.
     *
     * @return false: the kernel has not taken it, which is counted; a datagram may be lost anyway, so nothing is tried again
     * @throws IllegalArgumentException when {@code data} is more than {@link UdpSocket#BYTES_MAX}
     */
    public boolean reply(ByteBuffer data) {
        requireInUse();
        if (data != received) {
            return socket.send(sender, data);
        }
        int from = data.position();
        int count = data.remaining();
        UdpSocket.requireFits(count);
        data.position(data.limit());
        return socket.sendTo(sender, receivedAddress + from, count);
    }

    // ---- for the socket ----

    boolean isInUse() {
        return inUse;
    }

    void inUse(boolean changed) {
        inUse = changed;
    }

    PeerAddress peer() {
        return sender;
    }

    long receivedAddress() {
        return receivedAddress;
    }

    /** So many bytes have been received. */
    void filled(int count) {
        received.clear().limit(count).order(ByteOrder.BIG_ENDIAN);
    }

    private void requireInUse() {
        if (!inUse) {
            throw new IllegalStateException("a datagram is valid only during the handler's call");
        }
    }
}
