package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Native memory of a message that the kernel cuts into datagrams ({@code UDP_SEGMENT}, udp(7)). Used by one thread.
 *
 * <pre>
 * | msghdr | iovec | cmsghdr | segment size, 16 bits | padding to 8 | control data of the source |
 * </pre>
 */
final class SegmentedMessage {
    /** A message of this length and its headers fit into an IPv4 packet. */
    static final int BYTES_MAX = 65_000;

    /** Number of segments that every kernel with {@code UDP_SEGMENT} accepts. */
    private static final int SEGMENTS_MAX = 64;

    private static final int IOV_OFFSET = MsgHdr.SIZE_BYTES;
    private static final int CONTROL_OFFSET = IOV_OFFSET + IoVec.SIZE_BYTES;
    private static final int CONTROL_BYTES = CmsgHdr.SIZE_BYTES + Long.BYTES;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(
                    CONTROL_OFFSET + CONTROL_BYTES + PeerAddress.SOURCE_BYTES_MAX)
            .order(ByteOrder.nativeOrder());
    private final long address;

    SegmentedMessage(Kernel kernel) {
        this.address = kernel.addressOf(memory);
        memory.putLong(MsgHdr.IOV_OFFSET, address + IOV_OFFSET);
        memory.putLong(MsgHdr.IOVLEN_OFFSET, 1);
        memory.putLong(MsgHdr.CONTROL_OFFSET, address + CONTROL_OFFSET);
        memory.putLong(CONTROL_OFFSET + CmsgHdr.LEN_OFFSET, CmsgHdr.SIZE_BYTES + Short.BYTES);
        memory.putInt(CONTROL_OFFSET + CmsgHdr.LEVEL_OFFSET, Sockets.IPPROTO_UDP);
        memory.putInt(CONTROL_OFFSET + CmsgHdr.TYPE_OFFSET, Sockets.UDP_SEGMENT);
    }

    /** Maximum number of bytes of a message that consists of whole segments. */
    static int together(int segmentBytes) {
        return Math.min(SEGMENTS_MAX, BYTES_MAX / segmentBytes) * segmentBytes;
    }

    long prepare(PeerAddress to, long data, int count, int segmentBytes) {
        memory.putLong(MsgHdr.NAME_OFFSET, to.length() == 0 ? 0 : to.address());
        memory.putInt(MsgHdr.NAMELEN_OFFSET, to.length());
        memory.putLong(MsgHdr.CONTROLLEN_OFFSET, CONTROL_BYTES + to.sourceBytes());
        memory.put(CONTROL_OFFSET + CONTROL_BYTES, to.memory(), to.sourceAt(), to.sourceBytes());
        memory.putLong(IOV_OFFSET + IoVec.BASE_OFFSET, data);
        memory.putLong(IOV_OFFSET + IoVec.LEN_OFFSET, count);
        memory.putShort(CONTROL_OFFSET + CmsgHdr.SIZE_BYTES, (short) segmentBytes);
        return address;
    }
}
