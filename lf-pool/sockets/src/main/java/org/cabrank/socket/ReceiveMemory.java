package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Native memory that recvmmsg(2) receives datagrams into. Used by one thread at a time.
 *
 * <pre>
 * | mmsghdr 0 | mmsghdr 1 | ... | iovec 0 | iovec 1 | ... | control data 0 | control data 1 | ... | datagram 0 | datagram 1 | ...
 * </pre>
 */
final class ReceiveMemory {
    private final Kernel kernel;
    private final Datagram[] datagrams;
    private final ByteBuffer memory;
    private final long address;
    private final DatagramShape shape;

    private int written;

    ReceiveMemory(Kernel kernel, DatagramShape shape) {
        int count = shape.count();
        int vectors = count * MMsgHdr.SIZE_BYTES;
        int controls = vectors + count * IoVec.SIZE_BYTES;
        int data = controls + count * shape.controlBytes();
        this.kernel = kernel;
        this.shape = shape;
        this.memory = ByteBuffer.allocateDirect(data + count * shape.bytes()).order(ByteOrder.nativeOrder());
        this.address = kernel.addressOf(memory);
        this.datagrams = new Datagram[count];
        this.written = count;
        for (int i = 0; i < count; i++) {
            int control = controls + i * shape.controlBytes();
            int bytes = data + i * shape.bytes();
            ByteBuffer details = memory.slice(control, shape.controlBytes()).order(ByteOrder.nativeOrder());
            datagrams[i] = new Datagram(
                    new PeerAddress(kernel),
                    memory.slice(bytes, shape.bytes()),
                    address + bytes,
                    new ReceivedDetails(details));
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

    Datagram datagram(int index) {
        return datagrams[index];
    }

    int receive(int fd, DatagramBatch batch) {
        prepare(written);
        // With MSG_TRUNC the kernel reports the full length of a datagram, even if there is less room.
        int result = kernel.recvmmsg(fd, address, shape.count(), Sockets.MSG_TRUNC);
        written = Math.min(Math.max(result, 0) + 1, datagrams.length); // an error may change one more header
        for (int i = 0; i < result; i++) {
            int header = header(i);
            Datagram datagram = datagrams[i];
            datagram.peer().length(memory.getInt(header + MsgHdr.NAMELEN_OFFSET));
            datagram.filled(batch, memory.getInt(i * MMsgHdr.SIZE_BYTES + MMsgHdr.LEN_OFFSET), (int)
                    memory.getLong(header + MsgHdr.CONTROLLEN_OFFSET));
        }
        return result;
    }

    private void prepare(int count) {
        for (int i = 0; i < count; i++) {
            int header = header(i);
            memory.putInt(header + MsgHdr.NAMELEN_OFFSET, datagrams[i].peer().roomBytes());
            memory.putLong(header + MsgHdr.CONTROLLEN_OFFSET, shape.controlBytes());
            memory.putInt(header + MsgHdr.FLAGS_OFFSET, 0);
        }
    }
}
