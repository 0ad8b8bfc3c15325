package org.cabrank.socket.calls;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;

/** Native memory for a peer's address: the kernel writes it (accept4, recvfrom) and reads it (sendto). Used by one thread. */
public final class PeerAddress {
    private static final int LENGTH_OFFSET = SocketAddresses.ROOM_BYTES;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(LENGTH_OFFSET + Integer.BYTES).order(ByteOrder.nativeOrder());
    private final long base;

    public PeerAddress(Kernel kernel) {
        this.base = kernel.addressOf(memory);
    }

    /** Called before each system call: sets the length to the whole room. */
    public void prepare() {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.ROOM_BYTES);
    }

    public long address() {
        return base;
    }

    /** Address of the {@code socklen_t}. */
    public long lengthAddress() {
        return base + LENGTH_OFFSET;
    }

    /** Length of the address that the kernel has written, in bytes. */
    public int length() {
        return memory.getInt(LENGTH_OFFSET);
    }

    /** Returns the address; allocates. */
    public SocketAddress decode() {
        return SocketAddresses.decode(memory, length());
    }

    /** Bytes that the kernel may write. */
    public int roomBytes() {
        return SocketAddresses.ROOM_BYTES;
    }

    /** Notes the length of an address that the kernel has written, and reported elsewhere. */
    public void length(int bytes) {
        memory.putInt(LENGTH_OFFSET, bytes);
    }

    /** Takes over the address of another. */
    public void copy(PeerAddress other) {
        memory.put(0, other.memory, 0, LENGTH_OFFSET + Integer.BYTES);
    }

    /** Sets the length to 0: no address, for a connected socket. */
    public void clear() {
        memory.putInt(LENGTH_OFFSET, 0);
    }

    public void encode(SocketAddress address) {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.encode(address, memory));
    }
}
