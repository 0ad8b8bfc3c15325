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
 * Buffers for one sendmmsg(2), or one sendmsg(2) with UDP_SEGMENT. All datagrams have one size. Used by one thread.
 *
 * <pre>
 * | mmsghdr 0 | ... | iovec 0 | ... | msghdr | iovec | cmsghdr | segment size | datagram 0 | datagram 1 | ...
 * </pre>
 */
final class SendBuffers {
    /** Maximum size of a message with UDP_SEGMENT. The message and its headers fit into one IPv4 packet. */
    private static final int SEGMENTED_BYTES_MAX = 65_000;

    private static final int CONTROL_BYTES = CmsgHdr.SIZE_BYTES + Long.BYTES;

    private final Kernel kernel;
    private final int sizeBytes;
    private final int run;
    private final boolean segmented;
    private final int count;
    private final ByteBuffer memory;
    private final long address;
    private final int message;
    private final int data;

    SendBuffers(Kernel kernel, DatagramLoad load, int run) {
        this.kernel = kernel;
        this.run = run;
        sizeBytes = load.sizeBytes();
        int together = Math.min(DatagramLoad.BATCH_MAX, SEGMENTED_BYTES_MAX / sizeBytes);
        segmented = load.segmented() && together > 1;
        count = segmented ? together : DatagramLoad.BATCH_MAX;
        int vectors = count * MMsgHdr.SIZE_BYTES;
        message = vectors + count * IoVec.SIZE_BYTES;
        data = message + MsgHdr.SIZE_BYTES + IoVec.SIZE_BYTES + CONTROL_BYTES;
        memory = NativeBuffers.of(data + count * sizeBytes);
        address = kernel.addressOf(memory);
        for (int i = 0; i < count; i++) {
            int header = i * MMsgHdr.SIZE_BYTES + MMsgHdr.HDR_OFFSET;
            int vector = vectors + i * IoVec.SIZE_BYTES;
            memory.putLong(header + MsgHdr.IOV_OFFSET, address + vector);
            memory.putLong(header + MsgHdr.IOVLEN_OFFSET, 1);
            memory.putLong(vector + IoVec.BASE_OFFSET, address + at(i));
            memory.putLong(vector + IoVec.LEN_OFFSET, sizeBytes);
            DatagramContent.writeFill(memory, at(i), sizeBytes);
        }
        writeSegmentedMessage();
    }

    private void writeSegmentedMessage() {
        int vector = message + MsgHdr.SIZE_BYTES;
        int control = vector + IoVec.SIZE_BYTES;
        memory.putLong(message + MsgHdr.IOV_OFFSET, address + vector);
        memory.putLong(message + MsgHdr.IOVLEN_OFFSET, 1);
        memory.putLong(message + MsgHdr.CONTROL_OFFSET, address + control);
        memory.putLong(message + MsgHdr.CONTROLLEN_OFFSET, CONTROL_BYTES);
        memory.putLong(vector + IoVec.BASE_OFFSET, address + data);
        memory.putLong(control + CmsgHdr.LEN_OFFSET, CmsgHdr.SIZE_BYTES + Short.BYTES);
        memory.putInt(control + CmsgHdr.LEVEL_OFFSET, Sockets.IPPROTO_UDP);
        memory.putInt(control + CmsgHdr.TYPE_OFFSET, Sockets.UDP_SEGMENT);
        memory.putShort(control + CmsgHdr.SIZE_BYTES, (short) sizeBytes);
    }

    private int at(int index) {
        return data + index * sizeBytes;
    }

    int count() {
        return count;
    }

    boolean isSegmented() {
        return segmented;
    }

    void put(int index, DatagramFlow flow, long number, long dueNs) {
        DatagramContent.write(memory, at(index), run, flow.index(), number, dueNs);
    }

    /** Returns the number of datagrams that the kernel has accepted, or a negative errno. */
    int send(int fd, int datagrams) {
        if (!segmented) {
            return kernel.sendmmsg(fd, address, datagrams, Sockets.MSG_NOSIGNAL);
        }
        memory.putLong(message + MsgHdr.SIZE_BYTES + IoVec.LEN_OFFSET, (long) datagrams * sizeBytes);
        int result = kernel.sendmsg(fd, address + message, Sockets.MSG_NOSIGNAL);
        return result < 0 ? result : datagrams;
    }
}
