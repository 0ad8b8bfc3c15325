package org.cabrank.bench.load.datagram;

import java.nio.ByteBuffer;
import org.cabrank.bench.load.engine.NativeBuffers;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * Buffers for one recvmmsg(2). With UDP_GRO, one message may hold several datagrams of one size. Used by one thread.
 *
 * <pre>
 * | mmsghdr 0 | ... | iovec 0 | ... | cmsghdr 0, segment size | ... | datagram 0 | datagram 1 | ...
 * </pre>
 */
final class AnswerBuffers {
    /** Maximum number of messages of one call if UDP_GRO joins datagrams. One message may then hold 64 datagrams. */
    private static final int JOINED_MAX = 8;

    private static final int JOINED_BYTES = 1 << 16;
    private static final int CONTROL_BYTES = CmsgHdr.SIZE_BYTES + Long.BYTES;

    private final Kernel kernel;
    private final int count;
    private final int room;
    private final int controls;
    private final int controlBytes;
    private final int data;
    private final ByteBuffer memory;
    private final long address;

    AnswerBuffers(Kernel kernel, DatagramLoad load) {
        this.kernel = kernel;
        boolean joined = load.segmented();
        count = joined ? JOINED_MAX : DatagramLoad.BATCH_MAX;
        room = joined ? JOINED_BYTES : load.sizeBytes() + 1; // the last byte detects a longer answer
        controlBytes = joined ? CONTROL_BYTES : 0;
        int vectors = count * MMsgHdr.SIZE_BYTES;
        controls = vectors + count * IoVec.SIZE_BYTES;
        data = controls + count * controlBytes;
        memory = NativeBuffers.of(data + count * room);
        address = kernel.addressOf(memory);
        for (int i = 0; i < count; i++) {
            int header = header(i);
            int vector = vectors + i * IoVec.SIZE_BYTES;
            memory.putLong(header + MsgHdr.IOV_OFFSET, address + vector);
            memory.putLong(header + MsgHdr.IOVLEN_OFFSET, 1);
            memory.putLong(header + MsgHdr.CONTROL_OFFSET, joined ? address + control(i) : 0);
            memory.putLong(vector + IoVec.BASE_OFFSET, address + offset(i));
            memory.putLong(vector + IoVec.LEN_OFFSET, room);
        }
    }

    private static int header(int index) {
        return index * MMsgHdr.SIZE_BYTES + MMsgHdr.HDR_OFFSET;
    }

    private int control(int index) {
        return controls + index * controlBytes;
    }

    int count() {
        return count;
    }

    /** Returns the number of messages, or a negative errno. */
    int receive(int fd) {
        if (controlBytes > 0) {
            for (int i = 0; i < count; i++) {
                memory.putLong(header(i) + MsgHdr.CONTROLLEN_OFFSET, controlBytes);
            }
        }
        return kernel.recvmmsg(fd, address, count, Sockets.MSG_DONTWAIT);
    }

    ByteBuffer memory() {
        return memory;
    }

    int offset(int index) {
        return data + index * room;
    }

    int length(int index) {
        return memory.getInt(index * MMsgHdr.SIZE_BYTES + MMsgHdr.LEN_OFFSET);
    }

    /** Returns the size of each datagram in a message. If the kernel has not joined datagrams, this is the size of the message. */
    int segmentBytes(int index) {
        int length = Math.max(1, length(index));
        if (controlBytes == 0 || memory.getLong(header(index) + MsgHdr.CONTROLLEN_OFFSET) < CmsgHdr.SIZE_BYTES) {
            return length;
        }
        int control = control(index);
        boolean told = memory.getInt(control + CmsgHdr.LEVEL_OFFSET) == Sockets.IPPROTO_UDP
                && memory.getInt(control + CmsgHdr.TYPE_OFFSET) == Sockets.UDP_GRO;
        return told ? Math.max(1, memory.getInt(control + CmsgHdr.SIZE_BYTES)) : length;
    }
}
