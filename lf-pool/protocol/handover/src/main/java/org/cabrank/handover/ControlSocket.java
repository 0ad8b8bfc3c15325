package org.cabrank.handover;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.Ucred;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.socket.transport.DescriptorMessage;

/** A blocking Unix socket of type SOCK_SEQPACKET. One thread at a time may use it, but any thread may call {@link #shutdown}. */
final class ControlSocket implements AutoCloseable {
    static final int DESCRIPTORS_MAX = 253;

    private static final int TEXT_MAX = 1_024;
    private static final int BACKLOG = 8;

    /** Options of socket(7) whose value is a {@code struct timeval}. All supported ABIs have these numbers. */
    private static final int SO_RCVTIMEO = 20;

    private static final int SO_SNDTIMEO = 21;
    private static final int TIMEVAL_BYTES = 16;

    /** The receiver owns the descriptors. */
    record Message(String text, int[] descriptors) {
        void close(Kernel kernel) {
            for (int fd : descriptors) {
                kernel.close(fd);
            }
        }
    }

    private final Kernel kernel;
    private final int fd;
    private final SocketOps sockets;
    private final DescriptorMessage message;

    /** Memory for a text. If the last byte is used, the text is too long. */
    private final ByteBuffer text = ByteBuffer.allocateDirect(TEXT_MAX + 1);

    private final long textAddress;

    private ControlSocket(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
        this.sockets = new SocketOps(kernel);
        this.message = new DescriptorMessage(kernel, DESCRIPTORS_MAX);
        this.textAddress = kernel.addressOf(text);
    }

    private static ControlSocket open(Kernel kernel) throws IOException {
        int type = Sockets.SOCK_SEQPACKET | Sockets.SOCK_CLOEXEC;
        return owning(kernel, Errno.check("socket", kernel.socket(Sockets.AF_UNIX, type, 0)));
    }

    /** Closes the descriptor if there is no memory for the socket. */
    private static ControlSocket owning(Kernel kernel, int fd) {
        try {
            return new ControlSocket(kernel, fd);
        } catch (Throwable exhausted) {
            kernel.close(fd);
            throw exhausted;
        }
    }

    /** {@code path} must not exist. */
    static ControlSocket listening(Kernel kernel, Path path) throws IOException {
        ControlSocket socket = open(kernel);
        try {
            withAddress("bind", path, address -> socket.sockets.bind(socket.fd, address));
            Errno.check("listen", kernel.listen(socket.fd, BACKLOG));
            return socket;
        } catch (Throwable refused) {
            socket.close();
            throw refused;
        }
    }

    /** Connects to a path. If no process listens there, the exception's errno is ENOENT or ECONNREFUSED. */
    static ControlSocket connected(Kernel kernel, Path path, Duration timeout) throws IOException {
        ControlSocket socket = open(kernel);
        try {
            socket.timeout(timeout);
            withAddress("connect", path, address -> socket.sockets.connect(socket.fd, address));
            return socket;
        } catch (Throwable refused) {
            socket.close();
            throw refused;
        }
    }

    private static void withAddress(String name, Path path, ToIntFunction<SocketAddress> call) throws IOException {
        try {
            Errno.check(name, call.applyAsInt(UnixDomainSocketAddress.of(path)));
        } catch (IllegalArgumentException tooLong) {
            throw new IOException(tooLong.getMessage(), tooLong);
        }
    }

    /** Throws an exception after {@link #shutdown}. */
    ControlSocket accept() throws IOException {
        int accepted = untilNotInterrupted(() -> kernel.accept4(fd, 0, 0, Sockets.SOCK_CLOEXEC));
        return owning(kernel, Errno.check("accept4", accepted));
    }

    void timeout(Duration timeout) throws IOException {
        ByteBuffer value = ByteBuffer.allocate(TIMEVAL_BYTES).order(ByteOrder.nativeOrder());
        value.putLong(timeout.toSeconds()).putLong(timeout.toNanosPart() / 1_000);
        for (int option : new int[] {SO_RCVTIMEO, SO_SNDTIMEO}) {
            Errno.check("setsockopt", sockets.setOption(fd, Sockets.SOL_SOCKET, option, value.array()));
        }
    }

    long peerUser() throws IOException {
        byte[] value = new byte[Ucred.SIZE_BYTES];
        Errno.check("getsockopt SO_PEERCRED", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, value));
        return Integer.toUnsignedLong(
                ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getInt(Ucred.UID_OFFSET));
    }

    /** The caller keeps the descriptors. */
    void send(String line, int... descriptors) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TEXT_MAX || descriptors.length > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes and " + descriptors.length + " descriptors do not fit into a message");
        }
        text.put(0, bytes);
        message.prepareSend(textAddress, bytes.length, descriptors);
        Errno.check("sendmsg", untilNotInterrupted(() -> kernel.sendmsg(fd, message.address(), Sockets.MSG_NOSIGNAL)));
    }

    /**
     * @throws EOFException if the peer has closed the connection
     * @throws SocketTimeoutException if no message has arrived within the {@link #timeout}
     */
    Message receive() throws IOException {
        int count = untilNotInterrupted(() -> {
            message.prepareReceive(textAddress, text.capacity());
            return kernel.recvmsg(fd, message.address(), Sockets.MSG_CMSG_CLOEXEC);
        });
        if (count == -Errno.EAGAIN) {
            throw new SocketTimeoutException("the other process did not answer in time");
        }
        Errno.check("recvmsg", count);
        List<Integer> descriptors = new ArrayList<>();
        message.received(descriptors::add);
        byte[] bytes = new byte[count];
        text.get(0, bytes);
        Message received = new Message(
                new String(bytes, StandardCharsets.UTF_8),
                descriptors.stream().mapToInt(Integer::intValue).toArray());
        if (message.isTruncated() || count > TEXT_MAX) {
            received.close(kernel);
            throw new IOException(
                    "descriptors did not arrive, because this process may not open as many: raise the limit of"
                            + " open files (ulimit -n)");
        }
        if (count == 0) {
            throw new EOFException("the other process has closed the connection");
        }
        return received;
    }

    private static int untilNotInterrupted(IntSupplier call) {
        int result;
        do {
            result = call.getAsInt();
        } while (result == -Errno.EINTR);
        return result;
    }

    /** Ends another thread's wait in {@link #accept} or {@link #receive}. May be called by any thread. */
    void shutdown() {
        kernel.shutdown(fd, Sockets.SHUT_RDWR);
    }

    @Override
    public void close() {
        kernel.close(fd);
    }
}
