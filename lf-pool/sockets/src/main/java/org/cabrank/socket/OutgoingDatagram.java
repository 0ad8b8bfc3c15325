package org.cabrank.socket;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.PeerAddress;

/** Native memory for one thread's outgoing datagram and its destination, because the kernel cannot read the Java heap. */
final class OutgoingDatagram {
    final PeerAddress to;
    final SegmentedMessage segments;

    final SourcedMessage sourced;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(UdpSocket.BYTES_MAX);
    private final long bytesAddress;

    OutgoingDatagram(Kernel kernel) {
        this.to = new PeerAddress(kernel);
        this.segments = new SegmentedMessage(kernel);
        this.sourced = new SourcedMessage(kernel);
        this.bytesAddress = kernel.addressOf(bytes);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    long put(ByteBuffer data) {
        bytes.clear().put(data);
        return bytesAddress;
    }
}
