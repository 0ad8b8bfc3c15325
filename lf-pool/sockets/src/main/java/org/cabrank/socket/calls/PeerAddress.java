package org.cabrank.socket.calls;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;

/** Native memory for a peer's address: the kernel writes it (accept4, recvfrom) and reads it (sendto). Used by one thread. */
public final class PeerAddress {
    private final ByteBuffer memory;
    private final long base;

    /** Offset of the {@code socklen_t}: the end of the memory. */
    private final int lengthAt;

    public PeerAddress(Kernel kernel) {
        this.memory = ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES + Integer.BYTES)
                .order(ByteOrder.nativeOrder());
        this.base = kernel.addressOf(memory);
        this.lengthAt = SocketAddresses.ROOM_BYTES;
    }

    /**
     * Makes an address in memory of the caller, for an IP socket.
     *
     * @param room of {@link SocketAddresses#ROOM_BYTES}. The address of an IP socket leaves the last bytes to its length
     */
    public PeerAddress(ByteBuffer room, long address) {
        this.memory = room.order(ByteOrder.nativeOrder());
        this.base = address;
        this.lengthAt = SocketAddresses.ROOM_BYTES - Integer.BYTES;
    }

    /** Called before each system call: sets the length to the whole room. */
    public void prepare() {
        memory.putInt(lengthAt, SocketAddresses.ROOM_BYTES);
    }

    public long address() {
        return base;
    }

    /** Address of the {@code socklen_t}. */
    public long lengthAddress() {
        return base + lengthAt;
    }

    /** Length of the address that the kernel has written, in bytes. */
    public int length() {
        return memory.getInt(lengthAt);
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
        memory.putInt(lengthAt, bytes);
    }

    /** Takes over the address of another. */
    public void copy(PeerAddress other) {
        int bytes = other.length();
        memory.put(0, other.memory, 0, bytes);
        length(bytes);
    }

    /** Copies the {@code struct sockaddr} to {@code into}, at an offset. */
    public void copyTo(ByteBuffer into, int at) {
        into.put(at, memory, 0, length());
    }

    /** Sets the length to 0: no address, for a connected socket. */
    public void clear() {
        memory.putInt(lengthAt, 0);
    }

    public void encode(SocketAddress address) {
        memory.putInt(lengthAt, SocketAddresses.encode(address, memory));
    }
}
