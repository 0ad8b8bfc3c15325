package org.cabrank.systemd;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/** The service manager's end of a notify socket. */
public final class NotifySocket implements AutoCloseable {
    private static final int ROOM_BYTES = 4_096;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long LOOK_NS = 1_000_000;

    private final Kernel kernel;
    private final String target;
    private final int fd;

    private NotifySocket(String target, SocketAddress address) throws IOException {
        kernel = Kernels.system();
        this.target = target;
        fd = Errno.check("socket", kernel.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM | Sockets.SOCK_CLOEXEC, 0));
        ByteBuffer memory =
                ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
        int length = SocketAddresses.encode(address, memory);
        Errno.check("bind", NativeArgument.pass(kernel, memory, base -> kernel.bind(fd, base, length)));
    }

    public static NotifySocket in(Path directory) throws IOException {
        Path path = directory.resolve("notify");
        return new NotifySocket(path.toString(), UnixDomainSocketAddress.of(path));
    }

    public static NotifySocket abstractly(String name) throws IOException {
        return new NotifySocket("@" + name, new AbstractUnixAddress(name));
    }

    /** The value of NOTIFY_SOCKET. */
    public String target() {
        return target;
    }

    /** Waits for the next notification, for a minute at most. */
    public String next() throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        String next = nextOrNull();
        while (next == null) {
            if (System.nanoTime() - deadlineNs >= 0) {
                throw new IOException("no notification within a minute");
            }
            LockSupport.parkNanos(LOOK_NS);
            next = nextOrNull();
        }
        return next;
    }

    /** Returns the notification that waits; null: none does. */
    public String nextOrNull() throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(ROOM_BYTES);
        int count =
                NativeArgument.pass(kernel, memory, base -> kernel.recv(fd, base, ROOM_BYTES, Sockets.MSG_DONTWAIT));
        if (count == -Errno.EAGAIN) {
            return null;
        }
        byte[] bytes = new byte[Errno.check("recv", count)];
        memory.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        kernel.close(fd);
    }
}
