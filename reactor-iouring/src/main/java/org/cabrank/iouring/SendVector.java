package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.OutboundQueue;

/** Memory for one sendmsg(2) of several chunks: a msghdr, then the iovecs. The kernel uses it from the submission to the completion. */
final class SendVector {
    /** Largest number of chunks in one request. With chunks of 16 KiB, this is more than the initial size of a socket's send buffer. */
    static final int CHUNKS_MAX = 64;

    private static final int IOV_OFFSET = MsgHdr.SIZE_BYTES;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MsgHdr.SIZE_BYTES + CHUNKS_MAX * IoVec.SIZE_BYTES)
            .order(ByteOrder.nativeOrder());

    private final long address;
    private int chunks;

    SendVector next;

    SendVector(Kernel kernel) {
        address = kernel.addressOf(memory);
        memory.putLong(MsgHdr.IOV_OFFSET, address + IOV_OFFSET);
    }

    /** Describes the oldest unsent bytes, as many as fit. */
    void describe(OutboundQueue queue) {
        chunks = 0;
        add(queue.headAddress(), queue.headBytes());
        Chunk chunk = queue.following(queue.head());
        while (chunk != null && chunks < CHUNKS_MAX) {
            add(chunk.address, chunk.bytes.position());
            chunk = queue.following(chunk);
        }
        memory.putLong(MsgHdr.IOVLEN_OFFSET, chunks);
    }

    private void add(long base, int length) {
        int at = IOV_OFFSET + chunks * IoVec.SIZE_BYTES;
        memory.putLong(at + IoVec.BASE_OFFSET, base);
        memory.putLong(at + IoVec.LEN_OFFSET, length);
        chunks++;
    }

    long address() {
        return address;
    }
}
