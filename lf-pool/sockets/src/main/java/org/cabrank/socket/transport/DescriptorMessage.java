package org.cabrank.socket.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * Native memory of one message with descriptors (sendmsg(2), recvmsg(2), cmsg(3)). The kernel uses it until the call or request ends.
 *
 * <pre>
 * | msghdr | iovec | cmsghdr | descriptor 0 | descriptor 1 | ... |
 *    iov ------^        ^
 *    control -----------+
 * </pre>
 */
public final class DescriptorMessage {
    private static final int IOV_OFFSET = MsgHdr.SIZE_BYTES;
    private static final int CONTROL_OFFSET = IOV_OFFSET + IoVec.SIZE_BYTES;
    private static final int ALIGNMENT = 8;

    private final ByteBuffer memory;
    private final long address;
    private final int max;

    public DescriptorMessage(Kernel kernel, int max) {
        this.max = max;
        this.memory =
                ByteBuffer.allocateDirect(CONTROL_OFFSET + controlBytes(max)).order(ByteOrder.nativeOrder());
        this.address = kernel.addressOf(memory);
    }

    private static int controlBytes(int descriptors) {
        return CmsgHdr.SIZE_BYTES + descriptors * Integer.BYTES;
    }

    public long address() {
        return address;
    }

    public void prepareReceive(long buffer, int count) {
        describe(buffer, count, controlBytes(max));
    }

    /** As {@link #prepareReceive(long, int)}, but the kernel chooses the buffer. */
    public void prepareReceive() {
        describe(0, 0, controlBytes(max));
        memory.putLong(MsgHdr.IOVLEN_OFFSET, 0);
    }

    public void prepareSend(long buffer, int count, int[] descriptors) {
        int length = controlBytes(descriptors.length);
        describe(buffer, count, length);
        memory.putLong(CONTROL_OFFSET + CmsgHdr.LEN_OFFSET, length);
        memory.putInt(CONTROL_OFFSET + CmsgHdr.LEVEL_OFFSET, Sockets.SOL_SOCKET);
        memory.putInt(CONTROL_OFFSET + CmsgHdr.TYPE_OFFSET, Sockets.SCM_RIGHTS);
        for (int i = 0; i < descriptors.length; i++) {
            memory.putInt(CONTROL_OFFSET + CmsgHdr.SIZE_BYTES + i * Integer.BYTES, descriptors[i]);
        }
    }

    private void describe(long buffer, int count, int controlBytes) {
        memory.putLong(MsgHdr.NAME_OFFSET, 0);
        memory.putInt(MsgHdr.NAMELEN_OFFSET, 0);
        memory.putLong(MsgHdr.IOV_OFFSET, address + IOV_OFFSET);
        memory.putLong(MsgHdr.IOVLEN_OFFSET, 1);
        memory.putLong(MsgHdr.CONTROL_OFFSET, address + CONTROL_OFFSET);
        memory.putLong(MsgHdr.CONTROLLEN_OFFSET, controlBytes);
        memory.putInt(MsgHdr.FLAGS_OFFSET, 0);
        memory.putLong(IOV_OFFSET + IoVec.BASE_OFFSET, buffer);
        memory.putLong(IOV_OFFSET + IoVec.LEN_OFFSET, count);
    }

    /** A receiver of descriptors. */
    @FunctionalInterface
    public interface Receiver {
        /** Takes a descriptor, which then belongs to the receiver. */
        void take(int descriptor);
    }

    /** Called after a successful receive. Hands over the descriptors in the order of the sender, and returns their number. */
    public int received(Receiver receiver) {
        int left = (int) Math.min(memory.getLong(MsgHdr.CONTROLLEN_OFFSET), controlBytes(max));
        int at = CONTROL_OFFSET;
        int count = 0;
        while (left >= CmsgHdr.SIZE_BYTES) {
            int length = (int) Math.min(memory.getLong(at + CmsgHdr.LEN_OFFSET), left);
            if (length < CmsgHdr.SIZE_BYTES) {
                break; // malformed: the kernel writes no such length
            }
            boolean rights = memory.getInt(at + CmsgHdr.LEVEL_OFFSET) == Sockets.SOL_SOCKET
                    && memory.getInt(at + CmsgHdr.TYPE_OFFSET) == Sockets.SCM_RIGHTS;
            for (int data = CmsgHdr.SIZE_BYTES; rights && data + Integer.BYTES <= length; data += Integer.BYTES) {
                receiver.take(memory.getInt(at + data));
                count++;
            }
            int padded = (length + ALIGNMENT - 1) & -ALIGNMENT;
            at += padded;
            left -= padded;
        }
        return count;
    }

    /** Called after a receive. Returns true if descriptors are lost, because there was no room or they could not be created. */
    public boolean isTruncated() {
        return (memory.getInt(MsgHdr.FLAGS_OFFSET) & Sockets.MSG_CTRUNC) != 0;
    }
}
