package org.cabrank.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.PeerAddress;
import org.cabrank.stream.transport.LentBuffers;

/** A datagram that has been received, in memory that the next datagram takes after the handler's call. */
public final class Datagram {
    private final UdpSocket socket;
    private final PeerAddress sender;
    private final ByteBuffer received = ByteBuffer.allocateDirect(UdpSocket.BYTES_MAX);
    private final long receivedAddress;

    /** The buffer that the handler is given: {@link #received}, or a copy if {@link LentBuffers#CHECKED}. */
    private ByteBuffer data = received;

    private boolean inUse;

    Datagram(UdpSocket socket, Kernel kernel) {
        this.socket = socket;
        this.sender = new PeerAddress(kernel);
        this.receivedAddress = kernel.addressOf(received);
    }

    /**
     * The datagram's bytes, from the buffer's position to its limit. The buffer is valid only during the handler's call, because
     * the next datagram takes its memory; it is big-endian until the handler sets another order for this call.
     * {@code -Dcabrank.checkBuffers=true} finds handlers that keep it, see
     * {@link org.cabrank.stream.ConnectionHandler#data}.
     */
    public ByteBuffer data() {
        requireInUse();
        return data;
    }

    /** Address of the sender. Allocates on each call; {@link #reply} answers without allocation. */
    public InetSocketAddress sender() {
        requireInUse();
        return (InetSocketAddress) sender.decode();
    }

    /**
     * Sends the remaining bytes of {@code answer} to the sender, and has consumed them when it returns.
     *
     * @return false: the kernel has not taken it, which is counted; a datagram may be lost anyway, so nothing is tried again
     * @throws IllegalArgumentException when {@code answer} is more than {@link UdpSocket#BYTES_MAX}
     */
    public boolean reply(ByteBuffer answer) {
        requireInUse();
        if (answer != received) {
            return socket.sender().reply(sender, answer);
        }
        int from = answer.position();
        int count = answer.remaining();
        UdpSocket.requireFits(count);
        answer.position(answer.limit());
        return socket.sender().sendTo(sender, receivedAddress + from, count);
    }

    // ---- for the socket ----

    void inUse(boolean changed) {
        inUse = changed;
    }

    PeerAddress peer() {
        return sender;
    }

    long receivedAddress() {
        return receivedAddress;
    }

    /** Notes that {@code count} bytes have been received. */
    void filled(int count) {
        data = LentBuffers.lend(received.clear().limit(count));
    }

    /** The handler has returned. */
    void handled() {
        if (LentBuffers.CHECKED) {
            LentBuffers.expire(data);
        }
    }

    private void requireInUse() {
        if (!inUse) {
            throw new IllegalStateException("a datagram is valid only during the handler's call");
        }
    }
}
