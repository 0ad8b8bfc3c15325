package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.IoVec;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.MMsgHdr;
import org.cabrank.kernel.MsgHdr;

/**
 * Datagrams that one system call has received, in the order of arrival, in memory that the next batch takes after the handler's call.
 *
 * <pre>
 * | mmsghdr 0 | mmsghdr 1 | ... | iovec 0 | iovec 1 | ... | control data 0 | control data 1 | ... | datagram 0 | datagram 1 | ...
 * </pre>
 */
public final class DatagramBatch {
    private final Datagram[] datagrams;
    private final ByteBuffer memory;
    private final long address;
    private final DatagramShape shape;
    private UdpSocket socket;
    private int size;

    DatagramBatch(Kernel kernel, DatagramShape shape) {
        int count = shape.count();
        int vectors = count * MMsgHdr.SIZE_BYTES;
        int controls = vectors + count * IoVec.SIZE_BYTES;
        int data = controls + count * shape.controlBytes();
        this.shape = shape;
        this.memory = ByteBuffer.allocateDirect(data + count * shape.bytes()).order(ByteOrder.nativeOrder());
        this.address = kernel.addressOf(memory);
        this.datagrams = new Datagram[count];
        for (int i = 0; i < count; i++) {
            int control = controls + i * shape.controlBytes();
            int bytes = data + i * shape.bytes();
            ByteBuffer details = memory.slice(control, shape.controlBytes()).order(ByteOrder.nativeOrder());
            datagrams[i] = new Datagram(
                    kernel, this, memory.slice(bytes, shape.bytes()), address + bytes, new ReceivedDetails(details));
            int vector = vectors + i * IoVec.SIZE_BYTES;
            memory.putLong(vector + IoVec.BASE_OFFSET, address + bytes);
            memory.putLong(vector + IoVec.LEN_OFFSET, shape.bytes());
            int header = header(i);
            memory.putLong(header + MsgHdr.NAME_OFFSET, datagrams[i].peer().address());
            memory.putLong(header + MsgHdr.IOV_OFFSET, address + vector);
            memory.putLong(header + MsgHdr.IOVLEN_OFFSET, 1);
            memory.putLong(header + MsgHdr.CONTROL_OFFSET, address + control);
        }
    }

    private static int header(int index) {
        return index * MMsgHdr.SIZE_BYTES + MMsgHdr.HDR_OFFSET;
    }

    // ---- for handlers ----

    /** Number of datagrams, from 1. */
    public int size() {
        requireInUse();
        return size;
    }

    /** The datagram at {@code index}, from 0; valid during the handler's call. */
    public Datagram get(int index) {
        requireInUse();
        if (index >= size) {
            throw new IndexOutOfBoundsException("datagram " + index + " of " + size);
        }
        return datagrams[index];
    }

    private void requireInUse() {
        if (socket == null) {
            throw new IllegalStateException("a batch is valid only during the handler's call");
        }
    }

    // ---- for the socket ----

    DatagramShape shape() {
        return shape;
    }

    UdpSocket socket() {
        return socket;
    }

    /** @param user null: the batch is idle */
    void lend(UdpSocket user) {
        socket = user;
    }

    /** Returns the address of the array of {@code struct mmsghdr}, prepared for {@code count} datagrams. */
    long prepare(int count) {
        for (int i = 0; i < count; i++) {
            int header = header(i);
            memory.putInt(header + MsgHdr.NAMELEN_OFFSET, datagrams[i].peer().roomBytes());
            memory.putLong(header + MsgHdr.CONTROLLEN_OFFSET, shape.controlBytes());
            memory.putInt(header + MsgHdr.FLAGS_OFFSET, 0);
        }
        return address;
    }

    /** Takes over {@code count} datagrams that the kernel has written. */
    void received(int count) {
        size = count;
        for (int i = 0; i < count; i++) {
            int header = header(i);
            Datagram datagram = datagrams[i];
            datagram.peer().length(memory.getInt(header + MsgHdr.NAMELEN_OFFSET));
            datagram.details().read((int) memory.getLong(header + MsgHdr.CONTROLLEN_OFFSET));
            datagram.filled(memory.getInt(i * MMsgHdr.SIZE_BYTES + MMsgHdr.LEN_OFFSET));
        }
    }

    /** The handler has returned. */
    void handled() {
        for (int i = 0; i < size; i++) {
            datagrams[i].handled();
        }
        size = 0;
    }
}
