package org.cabrank.socket.calls;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;

/**
 * Native memory for a peer's address, and perhaps for a local address that datagrams to an IP peer leave from. Used by one thread.
 *
 * <pre>
 * | sockaddr | ... | control data of the source | ... | length of the sockaddr |
 * 0                64                           104
 * </pre>
 */
public final class PeerAddress {
    public static final int SOURCE_BYTES_MAX = 40;

    private static final int SOURCE_OFFSET = 64;

    private final ByteBuffer memory;
    private final long base;

    private final int lengthAt;

    private int sourceBytes;

    private boolean sourceRequired;

    public PeerAddress(Kernel kernel) {
        this.memory = ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES + Integer.BYTES)
                .order(ByteOrder.nativeOrder());
        this.base = kernel.addressOf(memory);
        this.lengthAt = SocketAddresses.ROOM_BYTES;
    }

    /** Makes an IP address in {@code room}, which has {@link SocketAddresses#ROOM_BYTES} bytes. The last four hold the address's length. */
    public PeerAddress(ByteBuffer room, long address) {
        this.memory = room.order(ByteOrder.nativeOrder());
        this.base = address;
        this.lengthAt = SocketAddresses.ROOM_BYTES - Integer.BYTES;
    }

    public void prepare() {
        memory.putInt(lengthAt, SocketAddresses.ROOM_BYTES);
    }

    public long address() {
        return base;
    }

    public long lengthAddress() {
        return base + lengthAt;
    }

    public int length() {
        return memory.getInt(lengthAt);
    }

    public SocketAddress decode() {
        return SocketAddresses.decode(memory, length());
    }

    public int roomBytes() {
        return SocketAddresses.ROOM_BYTES;
    }

    /** Sets the length of an address if the kernel has reported the length elsewhere. */
    public void length(int bytes) {
        memory.putInt(lengthAt, bytes);
    }

    public void copy(PeerAddress other) {
        int bytes = other.length();
        memory.put(0, other.memory, 0, bytes);
        length(bytes);
        memory.put(SOURCE_OFFSET, other.memory, SOURCE_OFFSET, other.sourceBytes);
        sourceBytes = other.sourceBytes;
        sourceRequired = other.sourceRequired;
    }

    /** Memory of the address; the source has {@link #SOURCE_BYTES_MAX} bytes from {@link #sourceAt} on. */
    public ByteBuffer memory() {
        return memory;
    }

    public int sourceAt() {
        return SOURCE_OFFSET;
    }

    public long sourceAddress() {
        return base + SOURCE_OFFSET;
    }

    public int sourceBytes() {
        return sourceBytes;
    }

    /** Sets the length of the source that the caller has written to {@link #memory}. The kernel may choose another source. */
    public void sourceBytes(int written) {
        sourceBytes = written;
        sourceRequired = false;
    }

    /** As {@link #sourceBytes(int)}, but the kernel must not choose another source. */
    public void requireSource(int written) {
        sourceBytes = written;
        sourceRequired = true;
    }

    public boolean isSourceRequired() {
        return sourceRequired;
    }

    public void copyTo(ByteBuffer into, int at) {
        into.put(at, memory, 0, length());
    }

    public void clear() {
        sourceBytes(0);
        memory.putInt(lengthAt, 0);
    }

    public void encode(SocketAddress address) {
        sourceBytes(0);
        memory.putInt(lengthAt, SocketAddresses.encode(address, memory));
    }
}
