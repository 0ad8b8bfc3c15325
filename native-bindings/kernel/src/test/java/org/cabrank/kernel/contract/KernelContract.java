package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract of all implementations of {@link Kernel}. Each family of calls has a contract of its own that extends this
 * class, and every implementation runs all of them. Descriptors that a test opens are closed after the test.
 */
public abstract class KernelContract {
    /**
     * Long enough for anything that a test waits for, on a slow and busy machine; {@code cabrank.patience.seconds} (120) for one
     * that is emulated.
     */
    protected static final int PATIENCE_MS = 1_000 * Integer.getInteger("cabrank.patience.seconds", 120);

    private final Deque<Integer> opened = new ArrayDeque<>();

    /** The kernel under test. */
    protected abstract Kernel kernel();

    @AfterEach
    final void closeWhatWasOpened() {
        while (!opened.isEmpty()) {
            assertEquals(0, kernel().close(opened.pop()));
        }
    }

    /** A descriptor that a call has just returned, to be closed after the test. */
    protected final int opened(int fd) {
        opened.push(good(fd));
        return fd;
    }

    /** Closes a descriptor before the end of the test. */
    protected final void close(int fd) {
        opened.remove(fd);
        assertEquals(0, kernel().close(fd));
    }

    /** A result that must not be a failure. */
    protected static int good(int result) {
        if (result < 0) {
            fail(Errno.describe(-result));
        }
        return result;
    }

    /** A result that must be the failure {@code errno}. */
    protected static void assertErrno(int errno, long result) {
        if (result != -errno) {
            String was = result < 0 && result >= -Errno.MAX_ERRNO ? Errno.describe((int) -result) : "" + result;
            fail("expected " + Errno.describe(errno) + ", was " + was);
        }
    }

    /** Memory for an argument, zeroed, in native byte order. */
    protected static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    protected static ByteBuffer memory(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return memory(bytes.length).put(0, bytes);
    }

    /** A C string. */
    protected static ByteBuffer zeroTerminated(Object text) {
        return memory(text + "\0");
    }

    protected static String text(ByteBuffer memory, int length) {
        byte[] bytes = new byte[length];
        memory.get(0, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    protected final long address(ByteBuffer memory) {
        return kernel().addressOf(memory);
    }

    protected static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** A stream socket that listens on an address. */
    protected final int listening(SocketAddress address) {
        int fd =
                opened(kernel().socket(SocketAddresses.domain(address), Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0));
        good(bind(fd, address));
        good(kernel().listen(fd, Sockets.SOMAXCONN));
        return fd;
    }

    /** A stream socket that is connected to a listening one. */
    protected final int connectedTo(int listeningFd) {
        SocketAddress address = nameOf(listeningFd);
        int fd =
                opened(kernel().socket(SocketAddresses.domain(address), Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0));
        good(connect(fd, address));
        return fd;
    }

    protected final int bind(int fd, SocketAddress address) {
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        int length = SocketAddresses.encode(address, memory);
        return kernel().bind(fd, address(memory), length);
    }

    protected final int connect(int fd, SocketAddress address) {
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        int length = SocketAddresses.encode(address, memory);
        return kernel().connect(fd, address(memory), length);
    }

    /** The address that a socket is bound to. */
    protected final SocketAddress nameOf(int fd) {
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        ByteBuffer length = room();
        good(kernel().getsockname(fd, address(memory), address(length)));
        return SocketAddresses.decode(memory, length.getInt(0));
    }

    /** A {@code socklen_t} that says that there is room for any address. */
    protected static ByteBuffer room() {
        return memory(Integer.BYTES).putInt(0, SocketAddresses.ROOM_BYTES);
    }

    protected final int option(int fd, int level, int name) {
        ByteBuffer value = memory(Integer.BYTES);
        ByteBuffer length = memory(Integer.BYTES).putInt(0, Integer.BYTES);
        good(kernel().getsockopt(fd, level, name, address(value), address(length)));
        assertEquals(Integer.BYTES, length.getInt(0));
        return value.getInt(0);
    }

    protected final int setOption(int fd, int level, int name, int value) {
        return kernel().setsockopt(
                        fd, level, name, address(memory(Integer.BYTES).putInt(0, value)), Integer.BYTES);
    }
}
