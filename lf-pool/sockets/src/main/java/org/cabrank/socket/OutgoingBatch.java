package org.cabrank.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Datagrams that one system call sends (sendmmsg(2)). Used by one thread at a time, in the handler or outside. Empty after {@link #send}.
 *
 * <pre>
 * | mmsghdr 0 | mmsghdr 1 | ... | iovec 0 | iovec 1 | ... | datagram 0 | datagram 1 | ...
 * </pre>
 */
public final class OutgoingBatch {
    private final DatagramSender sender;
    private final PeerAddress[] destinations;
    private final ByteBuffer memory;
    private final long address;
    private final int vectors;
    private final int data;
    private final int bytesMax;

    private final SourcedMessage sourced;

    private int size;

    OutgoingBatch(Kernel kernel, DatagramSender sender, int count, int bytesMax) {
        this.sender = sender;
        this.sourced = new SourcedMessage(kernel);
        this.bytesMax = bytesMax;
        this.vectors = count * MMsgHdr.SIZE_BYTES;
        this.data = vectors + count * IoVec.SIZE_BYTES;
        this.memory = ByteBuffer.allocateDirect(data + count * bytesMax).order(ByteOrder.nativeOrder());
        this.address = kernel.addressOf(memory);
        this.destinations = new PeerAddress[count];
        for (int i = 0; i < count; i++) {
            destinations[i] = new PeerAddress(kernel);
            int vector = vectors + i * IoVec.SIZE_BYTES;
            memory.putLong(vector + IoVec.BASE_OFFSET, address + data + (long) i * bytesMax);
            int header = header(i);
            memory.putLong(header + MsgHdr.IOV_OFFSET, address + vector);
            memory.putLong(header + MsgHdr.IOVLEN_OFFSET, 1);
        }
    }

    private static int header(int index) {
        return index * MMsgHdr.SIZE_BYTES + MMsgHdr.HDR_OFFSET;
    }

    /** Number of datagrams that wait for {@link #send}. */
    public int size() {
        return size;
    }

    /** Returns true if there is no room for another datagram before {@link #send}. */
    public boolean isFull() {
        return size == destinations.length;
    }

    /**
     * Adds a datagram; the remaining bytes of {@code bytes} are consumed. Allocates for the address; {@link #reply} does not.
     *
     * @param to destination. Null stands for the peer of a connected socket
     * @throws IllegalStateException if the batch is full, or {@code to} is null and the socket is not connected
     * @throws IllegalArgumentException if the datagram has more bytes than the batch allows, or the address is unresolved
     */
    public void add(InetSocketAddress to, ByteBuffer bytes) {
        add(to, bytes, null, null);
    }

    /** As {@link #add(InetSocketAddress, ByteBuffer)}, but the datagram leaves from {@code source} through {@code via}, unless null. */
    public void add(InetSocketAddress to, ByteBuffer bytes, InetAddress source, NetworkInterface via) {
        requireRoom(bytes);
        sender.address(destinations[size], to, source, via);
        put(bytes);
    }

    /** As {@link #add}, to the sender of {@code datagram}. Must be called in the handler. */
    public void reply(Datagram datagram, ByteBuffer bytes) {
        requireRoom(bytes);
        destinations[size].copy(datagram.destinationOfAnswer());
        put(bytes);
    }

    private void requireRoom(ByteBuffer bytes) {
        if (isFull()) {
            throw new IllegalStateException("the batch is full: send it before the next datagram");
        }
        if (bytes.remaining() > bytesMax) {
            throw new IllegalArgumentException("a datagram of this batch has at most " + bytesMax + " bytes, this has "
                    + bytes.remaining() + ": make the batch for longer datagrams");
        }
    }

    private void put(ByteBuffer bytes) {
        int count = bytes.remaining();
        int at = data + size * bytesMax;
        memory.put(at, bytes, bytes.position(), count);
        bytes.position(bytes.limit());
        memory.putLong(vectors + size * IoVec.SIZE_BYTES + IoVec.LEN_OFFSET, count);
        PeerAddress to = destinations[size];
        int header = header(size);
        memory.putLong(header + MsgHdr.NAME_OFFSET, to.length() == 0 ? 0 : to.address());
        memory.putInt(header + MsgHdr.NAMELEN_OFFSET, to.length());
        memory.putLong(header + MsgHdr.CONTROL_OFFSET, to.sourceBytes() == 0 ? 0 : to.sourceAddress());
        memory.putLong(header + MsgHdr.CONTROLLEN_OFFSET, to.sourceBytes());
        size++;
    }

    /**
     * Sends all datagrams, by one system call unless the kernel refuses a datagram. If there is no room (EAGAIN, ENOBUFS), the remaining
     * datagrams go to the {@link DatagramOptions#queue}. Refused datagrams are lost and counted ({@link DatagramCounters#unsent}).
     *
     * @return number of datagrams that the kernel or the queue has accepted; 0 if the socket is closed
     */
    public int send() {
        int count = size;
        size = 0;
        return sender.sendAll(this, count);
    }

    // ---- for the sender ----

    long headers(int index) {
        return address + (long) index * MMsgHdr.SIZE_BYTES;
    }

    boolean sendOne(int index) {
        int count = (int) memory.getLong(vectors + index * IoVec.SIZE_BYTES + IoVec.LEN_OFFSET);
        return sender.sendTo(sourced, destinations[index], memory, address, data + index * bytesMax, count);
    }

    /** Removes the source of a datagram. Returns false if there was none, or if the datagram requires the source. */
    boolean leaveSourceToKernel(int index) {
        PeerAddress to = destinations[index];
        boolean named = to.sourceBytes() > 0;
        if (to.isSourceRequired()) {
            return false;
        }
        to.sourceBytes(0);
        memory.putLong(header(index) + MsgHdr.CONTROLLEN_OFFSET, 0);
        return named;
    }
}
