package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;

/** Native memory of the headers ({@code msghdr}, {@code iovec}) of a datagram that names its source. Used by one thread at a time. */
final class SourcedMessage {
    private static final int IOV_OFFSET = MsgHdr.SIZE_BYTES;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(IOV_OFFSET + IoVec.SIZE_BYTES).order(ByteOrder.nativeOrder());
    private final long address;

    SourcedMessage(Kernel kernel) {
        this.address = kernel.addressOf(memory);
        memory.putLong(MsgHdr.IOV_OFFSET, address + IOV_OFFSET);
        memory.putLong(MsgHdr.IOVLEN_OFFSET, 1);
    }

    /** All arguments are native addresses and lengths. */
    long prepare(long to, int toBytes, long source, int sourceBytes, long data, int count) {
        memory.putLong(MsgHdr.NAME_OFFSET, to);
        memory.putInt(MsgHdr.NAMELEN_OFFSET, toBytes);
        memory.putLong(MsgHdr.CONTROL_OFFSET, source);
        memory.putLong(MsgHdr.CONTROLLEN_OFFSET, sourceBytes);
        memory.putLong(IOV_OFFSET + IoVec.BASE_OFFSET, data);
        memory.putLong(IOV_OFFSET + IoVec.LEN_OFFSET, count);
        return address;
    }
}
