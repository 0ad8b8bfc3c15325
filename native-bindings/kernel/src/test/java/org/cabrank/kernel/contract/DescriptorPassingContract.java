package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.kernel.layout.Ucred;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Descriptors and credentials that a Unix socket carries. */
public abstract class DescriptorPassingContract extends KernelContract {
    private static final int BYTES = 16;

    private final ByteBuffer bytes = memory(BYTES);
    private final ByteBuffer iovec = memory(IoVec.SIZE_BYTES);
    private final ByteBuffer header = memory(MsgHdr.SIZE_BYTES);
    private int client;
    private int server;

    @BeforeEach
    void connect() {
        int listening = listening(new AbstractUnixAddress(
                "cabrank-fds-" + ProcessHandle.current().pid() + "-" + kernel().name() + "-" + System.nanoTime()));
        client = connectedTo(listening);
        server = opened(kernel().accept4(listening, 0, 0, Sockets.SOCK_CLOEXEC | Sockets.SOCK_NONBLOCK));
    }

    private long header(int count, ByteBuffer control, int controlBytes) {
        iovec.putLong(IoVec.BASE_OFFSET, address(bytes)).putLong(IoVec.LEN_OFFSET, count);
        header.putLong(MsgHdr.IOV_OFFSET, address(iovec))
                .putLong(MsgHdr.IOVLEN_OFFSET, 1)
                .putLong(MsgHdr.CONTROL_OFFSET, address(control))
                .putLong(MsgHdr.CONTROLLEN_OFFSET, controlBytes)
                .putInt(MsgHdr.FLAGS_OFFSET, 0);
        return address(header);
    }

    private int send(int count, int... descriptors) {
        int length = CmsgHdr.SIZE_BYTES + descriptors.length * Integer.BYTES;
        ByteBuffer control = memory(length)
                .putLong(CmsgHdr.LEN_OFFSET, length)
                .putInt(CmsgHdr.LEVEL_OFFSET, Sockets.SOL_SOCKET)
                .putInt(CmsgHdr.TYPE_OFFSET, Sockets.SCM_RIGHTS);
        for (int i = 0; i < descriptors.length; i++) {
            control.putInt(CmsgHdr.SIZE_BYTES + i * Integer.BYTES, descriptors[i]);
        }
        return kernel().sendmsg(client, header(count, control, length), Sockets.MSG_NOSIGNAL);
    }

    @Test
    void descriptorArrivesWithItsBytesAndIsClosedOnExec() {
        int counter = opened(kernel().eventfd(7, 0));
        assertEquals(3, send(3, counter));
        ByteBuffer control = memory(CmsgHdr.SIZE_BYTES + Integer.BYTES);
        int received =
                good(kernel().recvmsg(server, header(BYTES, control, control.capacity()), Sockets.MSG_CMSG_CLOEXEC));
        assertEquals(3, received);
        assertEquals(CmsgHdr.SIZE_BYTES + Integer.BYTES, control.getLong(CmsgHdr.LEN_OFFSET));
        assertEquals(Sockets.SOL_SOCKET, control.getInt(CmsgHdr.LEVEL_OFFSET));
        assertEquals(Sockets.SCM_RIGHTS, control.getInt(CmsgHdr.TYPE_OFFSET));
        assertTrue(header.getLong(MsgHdr.CONTROLLEN_OFFSET) >= CmsgHdr.SIZE_BYTES + Integer.BYTES);
        assertEquals(0, header.getInt(MsgHdr.FLAGS_OFFSET) & Sockets.MSG_CTRUNC);
        int passed = opened(control.getInt(CmsgHdr.SIZE_BYTES));
        assertNotEquals(counter, passed);
        assertEquals(FileFlags.FD_CLOEXEC, good(kernel().fcntl(passed, FileFlags.F_GETFD, 0)));
        ByteBuffer value = memory(Long.BYTES);
        assertEquals(Long.BYTES, kernel().read(passed, address(value), Long.BYTES));
        assertEquals(7, value.getLong(0));
    }

    @Test
    void descriptorsBeyondTheRoomAreClosedByTheKernelAndFlagged() {
        int counter = opened(kernel().eventfd(0, 0));
        assertEquals(1, send(1, counter, counter, counter));
        ByteBuffer control = memory(CmsgHdr.SIZE_BYTES + 2 * Integer.BYTES);
        assertEquals(1, kernel().recvmsg(server, header(BYTES, control, control.capacity()), Sockets.MSG_CMSG_CLOEXEC));
        assertEquals(Sockets.MSG_CTRUNC, header.getInt(MsgHdr.FLAGS_OFFSET) & Sockets.MSG_CTRUNC);
        assertEquals(CmsgHdr.SIZE_BYTES + 2 * Integer.BYTES, control.getLong(CmsgHdr.LEN_OFFSET));
        opened(control.getInt(CmsgHdr.SIZE_BYTES));
        opened(control.getInt(CmsgHdr.SIZE_BYTES + Integer.BYTES));
    }

    @Test
    void duplicateIsClosedOnExec() {
        int counter = opened(kernel().eventfd(0, 0));
        int duplicate = opened(kernel().fcntl(counter, FileFlags.F_DUPFD_CLOEXEC, 0));
        assertNotEquals(counter, duplicate);
        assertEquals(FileFlags.FD_CLOEXEC, good(kernel().fcntl(duplicate, FileFlags.F_GETFD, 0)));
        assertErrno(Errno.EBADF, kernel().fcntl(-1, FileFlags.F_DUPFD_CLOEXEC, 0));
    }

    @Test
    void messagesThatCannotBeCarriedHaveTheirErrors() {
        ByteBuffer control = memory(CmsgHdr.SIZE_BYTES);
        assertErrno(Errno.EAGAIN, kernel().recvmsg(server, header(BYTES, control, 0), 0));
        assertErrno(Errno.EBADF, send(1, 1 << 20));
        assertErrno(Errno.EINVAL, send(1, new int[254]));
        assertErrno(Errno.EFAULT, kernel().recvmsg(server, 1, 0));
        assertErrno(Errno.EBADF, kernel().sendmsg(-1, header(1, control, 0), 0));
        assertErrno(Errno.EBADF, kernel().recvmsg(-1, header(1, control, 0), 0));
    }

    @Test
    void peerIsThisProcess() throws Exception {
        ByteBuffer credentials = memory(Ucred.SIZE_BYTES);
        ByteBuffer length = memory(Integer.BYTES).putInt(0, Ucred.SIZE_BYTES);
        good(kernel().getsockopt(
                        server, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, address(credentials), address(length)));
        assertEquals(Ucred.SIZE_BYTES, length.getInt(0));
        assertEquals(ProcessHandle.current().pid(), credentials.getInt(Ucred.PID_OFFSET));
        assertEquals(
                Integer.toUnsignedLong(credentials.getInt(Ucred.UID_OFFSET)),
                Long.parseLong(Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("Uid:"))
                        .findFirst()
                        .orElseThrow()
                        .split("\\s+")[2]));
    }

    @Test
    void pidfdOfThePeerIsADescriptor() {
        ByteBuffer value = memory(Integer.BYTES);
        ByteBuffer length = memory(Integer.BYTES).putInt(0, Integer.BYTES);
        int result =
                kernel().getsockopt(server, Sockets.SOL_SOCKET, Sockets.SO_PEERPIDFD, address(value), address(length));
        assumeTrue(result != -Errno.ENOPROTOOPT, "SO_PEERPIDFD is of Linux 6.5");
        good(result);
        assertEquals(FileFlags.FD_CLOEXEC, good(kernel().fcntl(opened(value.getInt(0)), FileFlags.F_GETFD, 0)));
    }
}
