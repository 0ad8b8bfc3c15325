package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.socket.transport.DescriptorMessage;
import org.junit.jupiter.api.Test;

/** The memory of messages, as a kernel reads and writes it. */
class DescriptorMessageTest {
    private static final int MAX = 3;
    private static final int CONTROL_BYTES = CmsgHdr.SIZE_BYTES + MAX * Integer.BYTES;

    private final Kernel kernel = TestKernel.any();
    private final DescriptorMessage message = new DescriptorMessage(kernel, MAX);

    private ByteBuffer header() {
        return view(message.address(), MsgHdr.SIZE_BYTES);
    }

    private ByteBuffer control() {
        return view(header().getLong(MsgHdr.CONTROL_OFFSET), CONTROL_BYTES);
    }

    private ByteBuffer view(long address, int bytes) {
        return kernel.viewOf(address, bytes).order(ByteOrder.nativeOrder());
    }

    private List<Integer> received() {
        List<Integer> descriptors = new ArrayList<>();
        assertEquals(message.received(descriptors::add), descriptors.size());
        return descriptors;
    }

    private void write(int at, int length, int level, int type) {
        control()
                .putLong(at + CmsgHdr.LEN_OFFSET, length)
                .putInt(at + CmsgHdr.LEVEL_OFFSET, level)
                .putInt(at + CmsgHdr.TYPE_OFFSET, type);
    }

    @Test
    void sendDescribesTheBytesAndTheDescriptors() {
        message.prepareSend(0x1234_5678L, 99, new int[] {7, 8});
        assertEquals(1, header().getLong(MsgHdr.IOVLEN_OFFSET));
        ByteBuffer iovec = view(header().getLong(MsgHdr.IOV_OFFSET), IoVec.SIZE_BYTES);
        assertEquals(0x1234_5678L, iovec.getLong(IoVec.BASE_OFFSET));
        assertEquals(99, iovec.getLong(IoVec.LEN_OFFSET));
        assertEquals(CmsgHdr.SIZE_BYTES + 2 * Integer.BYTES, header().getLong(MsgHdr.CONTROLLEN_OFFSET));
        assertEquals(List.of(7, 8), received());
    }

    @Test
    void receiveHasRoomForTheLimitAndNothingBefore() {
        message.prepareSend(1, 1, new int[] {7, 8, 9});
        message.prepareReceive();
        assertEquals(0, header().getLong(MsgHdr.IOVLEN_OFFSET));
        assertEquals(CONTROL_BYTES, header().getLong(MsgHdr.CONTROLLEN_OFFSET));
        header().putLong(MsgHdr.CONTROLLEN_OFFSET, 0); // by the kernel, because no control data have come
        assertEquals(List.of(), received());
        assertFalse(message.isTruncated());
        header().putInt(MsgHdr.FLAGS_OFFSET, Sockets.MSG_CTRUNC);
        assertTrue(message.isTruncated());
    }

    @Test
    void otherControlDataIsPassedOver() {
        message.prepareReceive(1, 1);
        header().putLong(MsgHdr.CONTROLLEN_OFFSET, CONTROL_BYTES);
        write(0, CmsgHdr.SIZE_BYTES + Integer.BYTES, Sockets.SOL_SOCKET, 2); // SCM_CREDENTIALS
        control().putInt(CmsgHdr.SIZE_BYTES, 77);
        assertEquals(List.of(), received());
    }

    @Test
    void lengthsThatNoKernelWritesEndTheSearch() {
        message.prepareReceive(1, 1);
        write(0, 3, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS);
        assertEquals(List.of(), received());
        write(0, 1_000, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS);
        control()
                .putInt(CmsgHdr.SIZE_BYTES, 5)
                .putInt(CmsgHdr.SIZE_BYTES + 4, 6)
                .putInt(CmsgHdr.SIZE_BYTES + 8, 7);
        assertEquals(List.of(5, 6, 7), received());
    }
}
