package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;

/** Where the kernel writes a peer's address (accept4, recvfrom), and where it is read from again (sendto). One thread's. */
public final class PeerAddress {
    private static final int LENGTH_OFFSET = SocketAddresses.ROOM_BYTES;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(LENGTH_OFFSET + Integer.BYTES).order(ByteOrder.nativeOrder());
    private final long base;

    public PeerAddress(Kernel kernel) {
        this.base = kernel.addressOf(memory);
    }

    /** Before each call: all of the room may be used. */
    public void prepare() {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.ROOM_BYTES);
    }

    public long address() {
        return base;
    }

    /** Of the {@code socklen_t}. */
    public long lengthAddress() {
        return base + LENGTH_OFFSET;
    }

    /** What the kernel has written, in bytes. */
    public int length() {
        return memory.getInt(LENGTH_OFFSET);
    }

    /** Allocates. */
    public SocketAddress decode() {
        return SocketAddresses.decode(memory, length());
    }

    public void encode(SocketAddress address) {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.encode(address, memory));
    }
}
