package org.cabrank.socket.calls;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;

/**
 * Native memory for a peer's address: the kernel writes it (accept4, recvfrom) and reads it (sendto). That of an IP peer may have the
 * own address that datagrams to the peer are to leave from, as control data (cmsg(3), {@code IP_PKTINFO}). Used by one thread.
 *
 * <pre>
 * | sockaddr | ... | control data of the source | ... | length of the sockaddr |
 * 0                64                           104
 * </pre>
 */
public final class PeerAddress {
    /** Named bound: bytes of the source, a multiple of 8. */
    public static final int SOURCE_BYTES_MAX = 40;

    private static final int SOURCE_OFFSET = 64;

    private final ByteBuffer memory;
    private final long base;

    /** Offset of the {@code socklen_t}: the end of the memory. */
    private final int lengthAt;

    /** Number of bytes of the source; 0: the kernel chooses. */
    private int sourceBytes;

    /** The kernel must not choose another source. */
    private boolean sourceRequired;

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
        memory.put(SOURCE_OFFSET, other.memory, SOURCE_OFFSET, other.sourceBytes);
        sourceBytes = other.sourceBytes;
        sourceRequired = other.sourceRequired;
    }

    /** Memory for the source, with {@link #SOURCE_BYTES_MAX} from {@link #sourceAt} on. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Offset of the source in {@link #memory}. */
    public int sourceAt() {
        return SOURCE_OFFSET;
    }

    /** Address of the source. */
    public long sourceAddress() {
        return base + SOURCE_OFFSET;
    }

    /** Number of bytes of the source; 0: the kernel chooses. */
    public int sourceBytes() {
        return sourceBytes;
    }

    /** Notes the number of bytes that were written to the memory of the source, which the kernel may replace. */
    public void sourceBytes(int written) {
        sourceBytes = written;
        sourceRequired = false;
    }

    /** As {@link #sourceBytes(int)}, for a source that the kernel must not replace. */
    public void requireSource(int written) {
        sourceBytes = written;
        sourceRequired = true;
    }

    /** Returns true if a datagram is not to be sent from another source. */
    public boolean isSourceRequired() {
        return sourceRequired;
    }

    /** Copies the {@code struct sockaddr} to {@code into}, at an offset. */
    public void copyTo(ByteBuffer into, int at) {
        into.put(at, memory, 0, length());
    }

    /** Sets the length to 0: no address, for a connected socket. */
    public void clear() {
        sourceBytes(0);
        memory.putInt(lengthAt, 0);
    }

    public void encode(SocketAddress address) {
        sourceBytes(0);
        memory.putInt(lengthAt, SocketAddresses.encode(address, memory));
    }
}
