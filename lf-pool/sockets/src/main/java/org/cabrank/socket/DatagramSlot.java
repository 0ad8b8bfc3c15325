package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Memory of a reactor that holds one received datagram, with the address of its sender and its control data (cmsg(3)). Made by a
 * reactor once for each of its buffers. The reactor fills it before it makes the datagram known; one thread at a time uses it.
 */
public final class DatagramSlot {
    /** Bytes for the control data of a datagram. */
    public static final int CONTROL_BYTES = ReceivedDetails.ROOM_BYTES;

    /** Bytes for the address of the sender. */
    public static final int NAME_BYTES = SocketAddresses.ROOM_BYTES;

    private final int number;
    private final Datagram datagram;
    private int bytes;
    private int controlBytes;

    /**
     * @param number number by which the reactor knows the memory
     * @param memory memory in which the parts lie; the data reach up to its end
     * @param address address of {@code memory}
     * @param nameAt offset of {@link #NAME_BYTES} bytes for the address of the sender. The last four of them hold its length
     * @param controlAt offset of {@link #CONTROL_BYTES} bytes for the control data, divisible by 8
     * @param dataAt offset of the data
     */
    public DatagramSlot(int number, ByteBuffer memory, long address, int nameAt, int controlAt, int dataAt) {
        this.number = number;
        ByteBuffer control = memory.slice(controlAt, CONTROL_BYTES).order(ByteOrder.nativeOrder());
        this.datagram = new Datagram(
                new PeerAddress(memory.slice(nameAt, NAME_BYTES), address + nameAt),
                memory.slice(dataAt, memory.capacity() - dataAt),
                address + dataAt,
                new ReceivedDetails(control));
    }

    /** Number by which the reactor knows the memory. */
    public int number() {
        return number;
    }

    /**
     * Notes the parts of the datagram that the kernel has written.
     *
     * @param sentBytes bytes that the sender has sent: more than there is room for if the datagram is truncated
     */
    public void filled(int nameBytes, int writtenControlBytes, int sentBytes) {
        datagram.peer().length(nameBytes);
        controlBytes = writtenControlBytes;
        bytes = sentBytes;
    }

    Datagram datagramOf(DatagramBatch batch) {
        datagram.filled(batch, bytes, controlBytes);
        return datagram;
    }
}
