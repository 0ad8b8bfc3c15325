package org.cabrank.handover;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongToIntFunction;
import org.cabrank.kernel.CmsgHdr;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoVec;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.MsgHdr;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.Ucred;

/**
 * A blocking Unix socket of type SOCK_SEQPACKET, which keeps the bounds of messages. Each message is a line of text with descriptors.
 * One thread at a time, except for {@link #shutdown}.
 */
final class ControlSocket implements AutoCloseable {
    /** Number of descriptors that the kernel passes with one message (SCM_MAX_FD). */
    static final int DESCRIPTORS_MAX = 253;

    private static final int TEXT_MAX = 1_024;
    private static final int BACKLOG = 8;

    /** Options of socket(7), with a {@code struct timeval}; the same numbers on each supported ABI. */
    private static final int SO_RCVTIMEO = 20;

    private static final int SO_SNDTIMEO = 21;
    private static final int TIMEVAL_BYTES = 16;

    private static final int HEADER_OFFSET = 0;
    private static final int VECTOR_OFFSET = HEADER_OFFSET + MsgHdr.SIZE_BYTES;
    private static final int CONTROL_OFFSET = VECTOR_OFFSET + IoVec.SIZE_BYTES + 8; // aligned to 16
    private static final int CONTROL_BYTES = CmsgHdr.SIZE_BYTES + DESCRIPTORS_MAX * Integer.BYTES + 4;
    private static final int TEXT_OFFSET = CONTROL_OFFSET + CONTROL_BYTES;

    /**
     * A message.
     *
     * @param descriptors owned by the receiver
     */
    record Message(String text, int[] descriptors) {
        void close(Kernel kernel) {
            for (int fd : descriptors) {
                kernel.close(fd);
            }
        }
    }

    private final Kernel kernel;
    private final int fd;
    private final ByteBuffer memory = memory(TEXT_OFFSET + TEXT_MAX);

    private ControlSocket(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static ControlSocket open(Kernel kernel) throws IOException {
        int type = Sockets.SOCK_SEQPACKET | Sockets.SOCK_CLOEXEC;
        return new ControlSocket(kernel, Errno.check("socket", kernel.socket(Sockets.AF_UNIX, type, 0)));
    }

    /** Binds to a path that does not exist, and listens. */
    static ControlSocket listening(Kernel kernel, Path path) throws IOException {
        ControlSocket socket = open(kernel);
        try {
            socket.withAddress("bind", path, (base, length) -> kernel.bind(socket.fd, base, length));
            Errno.check("listen", kernel.listen(socket.fd, BACKLOG));
            return socket;
        } catch (Throwable refused) {
            socket.close();
            throw refused;
        }
    }

    /** Connects. The exception of a path without a listener has the errno ENOENT or ECONNREFUSED. */
    static ControlSocket connected(Kernel kernel, Path path, Duration timeout) throws IOException {
        ControlSocket socket = open(kernel);
        try {
            socket.timeout(timeout);
            socket.withAddress("connect", path, (base, length) -> kernel.connect(socket.fd, base, length));
            return socket;
        } catch (Throwable refused) {
            socket.close();
            throw refused;
        }
    }

    /** A call with the address and the length of a {@code struct sockaddr}. */
    private interface AddressCall {
        int apply(long base, int length);
    }

    private void withAddress(String name, Path path, AddressCall call) throws IOException {
        ByteBuffer address = memory(SocketAddresses.ROOM_BYTES);
        int length;
        try {
            length = SocketAddresses.encode(UnixDomainSocketAddress.of(path), address);
        } catch (IllegalArgumentException tooLong) {
            throw new IOException(tooLong.getMessage(), tooLong);
        }
        Errno.check(name, pass(address, base -> call.apply(base, length)));
    }

    /** Waits for a connection. Throws an exception after {@link #shutdown}. */
    ControlSocket accept() throws IOException {
        int accepted = untilNotInterrupted(() -> kernel.accept4(fd, 0, 0, Sockets.SOCK_CLOEXEC));
        return new ControlSocket(kernel, Errno.check("accept4", accepted));
    }

    /** Bounds each later send and receive. */
    void timeout(Duration timeout) throws IOException {
        ByteBuffer value = memory(TIMEVAL_BYTES);
        value.putLong(0, timeout.toSeconds()).putLong(Long.BYTES, timeout.toNanosPart() / 1_000);
        for (int option : new int[] {SO_RCVTIMEO, SO_SNDTIMEO}) {
            Errno.check(
                    "setsockopt",
                    pass(value, base -> kernel.setsockopt(fd, Sockets.SOL_SOCKET, option, base, TIMEVAL_BYTES)));
        }
    }

    long peerUser() throws IOException {
        ByteBuffer value = memory(Ucred.SIZE_BYTES + Integer.BYTES);
        value.putInt(Ucred.SIZE_BYTES, Ucred.SIZE_BYTES);
        Errno.check(
                "getsockopt SO_PEERCRED",
                pass(
                        value,
                        base -> kernel.getsockopt(
                                fd, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, base, base + Ucred.SIZE_BYTES)));
        return Integer.toUnsignedLong(value.getInt(Ucred.UID_OFFSET));
    }

    /** Sends one message. The descriptors stay the caller's. */
    void send(String text, int... descriptors) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TEXT_MAX || descriptors.length > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes and " + descriptors.length + " descriptors do not fit into a message");
        }
        memory.put(TEXT_OFFSET, bytes);
        int control = CmsgHdr.SIZE_BYTES + descriptors.length * Integer.BYTES;
        memory.putLong(CONTROL_OFFSET + CmsgHdr.LEN_OFFSET, control)
                .putInt(CONTROL_OFFSET + CmsgHdr.LEVEL_OFFSET, Sockets.SOL_SOCKET)
                .putInt(CONTROL_OFFSET + CmsgHdr.TYPE_OFFSET, Sockets.SCM_RIGHTS);
        for (int i = 0; i < descriptors.length; i++) {
            memory.putInt(CONTROL_OFFSET + CmsgHdr.SIZE_BYTES + i * Integer.BYTES, descriptors[i]);
        }
        int sent = untilNotInterrupted(() -> pass(memory, base -> {
            header(base, bytes.length, descriptors.length == 0 ? 0 : control);
            return kernel.sendmsg(fd, base + HEADER_OFFSET, Sockets.MSG_NOSIGNAL);
        }));
        Errno.check("sendmsg", sent);
    }

    /**
     * Waits for one message.
     *
     * @throws EOFException if the other end is closed
     * @throws SocketTimeoutException if no message has arrived within the {@link #timeout}
     */
    Message receive() throws IOException {
        int count = untilNotInterrupted(() -> pass(memory, base -> {
            header(base, TEXT_MAX, CONTROL_BYTES);
            return kernel.recvmsg(fd, base + HEADER_OFFSET, Sockets.MSG_CMSG_CLOEXEC);
        }));
        if (count == -Errno.EAGAIN) {
            throw new SocketTimeoutException("the other process did not answer in time");
        }
        Errno.check("recvmsg", count);
        int[] descriptors = descriptors();
        int flags = memory.getInt(HEADER_OFFSET + MsgHdr.FLAGS_OFFSET);
        byte[] bytes = new byte[count];
        memory.get(TEXT_OFFSET, bytes);
        Message message = new Message(new String(bytes, StandardCharsets.UTF_8), descriptors);
        if ((flags & (Sockets.MSG_CTRUNC | Sockets.MSG_TRUNC)) != 0) {
            message.close(kernel);
            throw new IOException(
                    "descriptors did not arrive, because this process may not open as many: raise the limit of"
                            + " open files (ulimit -n)");
        }
        if (count == 0) {
            throw new EOFException("the other process has closed the connection");
        }
        return message;
    }

    private int[] descriptors() {
        if (memory.getLong(HEADER_OFFSET + MsgHdr.CONTROLLEN_OFFSET) < CmsgHdr.SIZE_BYTES
                || memory.getInt(CONTROL_OFFSET + CmsgHdr.TYPE_OFFSET) != Sockets.SCM_RIGHTS) {
            return new int[0];
        }
        long length = memory.getLong(CONTROL_OFFSET + CmsgHdr.LEN_OFFSET) - CmsgHdr.SIZE_BYTES;
        int[] descriptors = new int[(int) (length / Integer.BYTES)];
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = memory.getInt(CONTROL_OFFSET + CmsgHdr.SIZE_BYTES + i * Integer.BYTES);
        }
        return descriptors;
    }

    private void header(long base, int textBytes, int controlBytes) {
        memory.putLong(HEADER_OFFSET + MsgHdr.NAME_OFFSET, 0)
                .putInt(HEADER_OFFSET + MsgHdr.NAMELEN_OFFSET, 0)
                .putLong(HEADER_OFFSET + MsgHdr.IOV_OFFSET, base + VECTOR_OFFSET)
                .putLong(HEADER_OFFSET + MsgHdr.IOVLEN_OFFSET, 1)
                .putLong(HEADER_OFFSET + MsgHdr.CONTROL_OFFSET, controlBytes == 0 ? 0 : base + CONTROL_OFFSET)
                .putLong(HEADER_OFFSET + MsgHdr.CONTROLLEN_OFFSET, controlBytes)
                .putInt(HEADER_OFFSET + MsgHdr.FLAGS_OFFSET, 0)
                .putLong(VECTOR_OFFSET + IoVec.BASE_OFFSET, base + TEXT_OFFSET)
                .putLong(VECTOR_OFFSET + IoVec.LEN_OFFSET, textBytes);
    }

    private int pass(ByteBuffer direct, LongToIntFunction call) {
        return NativeArgument.pass(kernel, direct, call);
    }

    private static int untilNotInterrupted(IntSupplier call) {
        int result;
        do {
            result = call.getAsInt();
        } while (result == -Errno.EINTR);
        return result;
    }

    /** Any thread: ends a wait of another thread in {@link #accept} or {@link #receive}. */
    void shutdown() {
        kernel.shutdown(fd, Sockets.SHUT_RDWR);
    }

    @Override
    public void close() {
        kernel.close(fd);
    }
}
