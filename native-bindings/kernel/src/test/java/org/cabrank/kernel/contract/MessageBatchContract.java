package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.GroupReq;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;
import org.junit.jupiter.api.Test;

/** Batches of datagrams (recvmmsg(2), sendmmsg(2)), and multicast groups. */
public abstract class MessageBatchContract extends KernelContract {
    private static final int BYTES = 4;
    private static final int MESSAGES = 3;

    private final ByteBuffer data = memory(MESSAGES * BYTES);
    private final ByteBuffer vectors = memory(MESSAGES * IoVec.SIZE_BYTES);
    private final ByteBuffer headers = memory(MESSAGES * MMsgHdr.SIZE_BYTES);

    private int bound(InetAddress to) {
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK, 0));
        good(bind(fd, new InetSocketAddress(to, 0)));
        return fd;
    }

    /** Message i has {@code lengths[i]} bytes, or room for so many. */
    private long headers(int... lengths) {
        for (int i = 0; i < lengths.length; i++) {
            vectors.putLong(i * IoVec.SIZE_BYTES + IoVec.BASE_OFFSET, address(data) + i * BYTES)
                    .putLong(i * IoVec.SIZE_BYTES + IoVec.LEN_OFFSET, lengths[i]);
            int header = i * MMsgHdr.SIZE_BYTES + MMsgHdr.HDR_OFFSET;
            headers.putLong(header + MsgHdr.IOV_OFFSET, address(vectors) + i * IoVec.SIZE_BYTES)
                    .putLong(header + MsgHdr.IOVLEN_OFFSET, 1);
        }
        return address(headers);
    }

    private int length(int message) {
        return headers.getInt(message * MMsgHdr.SIZE_BYTES + MMsgHdr.LEN_OFFSET);
    }

    @Test
    void messagesGoAndComeInOneCallWithTheirLengths() {
        int receiver = bound(InetAddress.getLoopbackAddress());
        int sender = bound(InetAddress.getLoopbackAddress());
        good(connect(sender, nameOf(receiver)));
        assertErrno(Errno.EAGAIN, kernel().recvmmsg(receiver, headers(BYTES), 1, 0));
        data.put(0, "aaaabb__cccc".getBytes());
        assertEquals(MESSAGES, kernel().sendmmsg(sender, headers(BYTES, 2, BYTES), MESSAGES, Sockets.MSG_NOSIGNAL));
        assertEquals(2, length(1));
        data.put(0, new byte[MESSAGES * BYTES]);
        assertEquals(2, kernel().recvmmsg(receiver, headers(BYTES, BYTES, BYTES), 2, 0), "no more than asked for");
        assertEquals("aaaabb\0\0", text(data, 2 * BYTES));
        assertEquals(2, length(1));
        assertEquals(1, kernel().recvmmsg(receiver, headers(2, BYTES, BYTES), MESSAGES, 0), "no more than there are");
        assertEquals(2, length(0));
        assertEquals(Sockets.MSG_TRUNC, headers.getInt(MMsgHdr.HDR_OFFSET + MsgHdr.FLAGS_OFFSET) & Sockets.MSG_TRUNC);
        assertErrno(Errno.EFAULT, kernel().recvmmsg(receiver, 1, 1, 0));
        assertErrno(Errno.EFAULT, kernel().sendmmsg(sender, 1, 1, 0));
    }

    @Test
    void memberOfAGroupGetsItsDatagrams() throws Exception {
        InetAddress group = InetAddress.getByName("239.255.7.8");
        int receiver = bound(group);
        ByteBuffer request = memory(GroupReq.SIZE_BYTES).putInt(GroupReq.INTERFACE_OFFSET, 1);
        SocketAddresses.encode(
                new InetSocketAddress(group, 0), request.slice(GroupReq.GROUP_OFFSET, SocketAddresses.ROOM_BYTES));
        assertErrno(Errno.EADDRNOTAVAIL, membership(receiver, Sockets.MCAST_LEAVE_GROUP, request));
        good(membership(receiver, Sockets.MCAST_JOIN_GROUP, request));
        assertErrno(Errno.EADDRINUSE, membership(receiver, Sockets.MCAST_JOIN_GROUP, request));
        good(membership(receiver, Sockets.MCAST_LEAVE_GROUP, request));
    }

    private int membership(int fd, int operation, ByteBuffer request) {
        return kernel().setsockopt(fd, Sockets.IPPROTO_IP, operation, address(request), GroupReq.SIZE_BYTES);
    }
}
