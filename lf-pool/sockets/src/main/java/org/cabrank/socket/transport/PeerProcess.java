package org.cabrank.socket.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.Ucred;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.PeerCredentials;

final class PeerProcess {
    /** Numbers of groups that calls make room for. The first is enough for most processes. The second is the maximum (NGROUPS_MAX). */
    private static final int[] GROUPS = {32, 65_536};

    private PeerProcess() {}

    static PeerCredentials credentials(SocketOps sockets, int fd, Object subject) throws IOException {
        byte[] value = new byte[Ucred.SIZE_BYTES];
        require(sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, value), "SO_PEERCRED", subject);
        ByteBuffer credentials = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
        return new PeerCredentials(
                credentials.getInt(Ucred.PID_OFFSET),
                Integer.toUnsignedLong(credentials.getInt(Ucred.UID_OFFSET)),
                Integer.toUnsignedLong(credentials.getInt(Ucred.GID_OFFSET)),
                groups(sockets, fd, subject));
    }

    private static List<Long> groups(SocketOps sockets, int fd, Object subject) throws IOException {
        int result = -Errno.ERANGE;
        byte[] value = {};
        for (int i = 0; i < GROUPS.length && result == -Errno.ERANGE; i++) {
            value = new byte[GROUPS[i] * Integer.BYTES];
            result = sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_PEERGROUPS, value);
        }
        if (result == -Errno.ENOPROTOOPT) {
            return List.of(); // before Linux 4.13
        }
        require(result, "SO_PEERGROUPS", subject);
        ByteBuffer ids = ByteBuffer.wrap(value, 0, result).order(ByteOrder.nativeOrder());
        List<Long> groups = new ArrayList<>();
        while (ids.hasRemaining()) {
            groups.add(Integer.toUnsignedLong(ids.getInt()));
        }
        return groups;
    }

    static int pidfd(SocketOps sockets, int fd, Object subject) throws IOException {
        byte[] value = new byte[Integer.BYTES];
        require(sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_PEERPIDFD, value), "SO_PEERPIDFD", subject);
        return ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getInt();
    }

    private static void require(int result, String option, Object subject) throws IOException {
        if (result < 0) {
            IOException cause = Errno.exception(subject + ": getsockopt " + option, result);
            throw new IOException(cause.getMessage() + remedy(-result), cause);
        }
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.ENOPROTOOPT ->
                "; Linux has pidfds of peers from 6.5 on: use such a kernel, or the number of peerCredentials";
            case Errno.ESRCH, Errno.EINVAL -> "; the process at the other end is gone, so nothing can be asked of it";
            case Errno.ENODATA -> "; the kernel knows no process at the other end of this socket";
            case Errno.EMFILE, Errno.ENFILE -> "; close descriptors, or raise the limit (ulimit -n, fs.file-max)";
            default -> "";
        };
    }
}
