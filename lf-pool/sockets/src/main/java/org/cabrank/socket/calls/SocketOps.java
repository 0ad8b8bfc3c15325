package org.cabrank.socket.calls;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.GroupSourceReq;
import org.cabrank.kernel.layout.Linger;
import org.cabrank.kernel.layout.SocketFilterInstruction;
import org.cabrank.kernel.layout.SocketFilterProgram;
import org.cabrank.kernel.layout.SocketFilters;

/** Rare system calls on sockets, with the native memory that they need. Thread-safe. */
public final class SocketOps {
    /** Result of {@link #incomingCpu} if the CPU is unknown. The value is neither an errno nor a CPU number. */
    public static final int NO_CPU = Integer.MIN_VALUE;

    private static final int VALUE_OFFSET = 0;
    private static final int LENGTH_OFFSET = 16;
    private static final int ADDRESS_OFFSET = 32;
    private static final int LONG_VALUE_OFFSET = ADDRESS_OFFSET + SocketAddresses.ROOM_BYTES;

    /** Bytes of the longest value that services set often: a multicast group with a source. */
    private static final int LONG_VALUE_BYTES = GroupSourceReq.SIZE_BYTES;

    private final Kernel kernel;
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(LONG_VALUE_OFFSET + LONG_VALUE_BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer address =
            memory.slice(ADDRESS_OFFSET, SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
    private final long base;

    public SocketOps(Kernel kernel) {
        this.kernel = kernel;
        this.base = kernel.addressOf(memory);
    }

    public int streamSocket(SocketAddress forAddress) {
        return kernel.socket(
                SocketAddresses.domain(forAddress),
                Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC,
                0);
    }

    public int datagramSocket(SocketAddress forAddress) {
        return kernel.socket(
                SocketAddresses.domain(forAddress),
                Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC,
                0);
    }

    public synchronized int bind(int fd, SocketAddress to) {
        int length = SocketAddresses.encode(to, address);
        return kernel.bind(fd, base + ADDRESS_OFFSET, length);
    }

    public synchronized int connect(int fd, SocketAddress to) {
        int length = SocketAddresses.encode(to, address);
        return kernel.connect(fd, base + ADDRESS_OFFSET, length);
    }

    public synchronized SocketAddress localAddress(int fd) throws IOException {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.ROOM_BYTES);
        Errno.check("getsockname", kernel.getsockname(fd, base + ADDRESS_OFFSET, base + LENGTH_OFFSET));
        return SocketAddresses.decode(address, memory.getInt(LENGTH_OFFSET));
    }

    /** Returns the address of the peer (getpeername(2)). Returns null if the connection was reset or is not established. */
    public synchronized SocketAddress peerOrNull(int fd) {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.ROOM_BYTES);
        int result = kernel.getpeername(fd, base + ADDRESS_OFFSET, base + LENGTH_OFFSET);
        return result < 0 ? null : SocketAddresses.decode(address, memory.getInt(LENGTH_OFFSET));
    }

    public synchronized SocketAddress localOrNull(int fd) {
        memory.putInt(LENGTH_OFFSET, SocketAddresses.ROOM_BYTES);
        int result = kernel.getsockname(fd, base + ADDRESS_OFFSET, base + LENGTH_OFFSET);
        return result < 0 ? null : SocketAddresses.decode(address, memory.getInt(LENGTH_OFFSET));
    }

    public synchronized int option(int fd, int level, int name, int value) {
        memory.putInt(VALUE_OFFSET, value);
        return kernel.setsockopt(fd, level, name, base + VALUE_OFFSET, Integer.BYTES);
    }

    /** Calls setsockopt(2) with a value of any length. Returns 0 or {@code -errno}. Allocates nothing for 264 bytes or less. */
    public synchronized int setOption(int fd, int level, int name, byte[] value) {
        if (value.length <= LONG_VALUE_BYTES) {
            memory.put(LONG_VALUE_OFFSET, value);
            return kernel.setsockopt(fd, level, name, base + LONG_VALUE_OFFSET, value.length);
        }
        ByteBuffer longer = ByteBuffer.allocateDirect(value.length).put(0, value);
        return NativeArgument.pass(
                kernel, longer, address -> kernel.setsockopt(fd, level, name, address, value.length));
    }

    /** Calls getsockopt(2) for a value of any length. Returns the length of the value that is now in {@code room}, or {@code -errno}. */
    public synchronized int option(int fd, int level, int name, byte[] room) {
        memory.putInt(LENGTH_OFFSET, room.length);
        if (room.length <= LONG_VALUE_BYTES) {
            for (int i = 0; i < room.length; i++) {
                memory.put(LONG_VALUE_OFFSET + i, (byte) 0); // the kernel may write fewer bytes
            }
            int result = kernel.getsockopt(fd, level, name, base + LONG_VALUE_OFFSET, base + LENGTH_OFFSET);
            memory.get(LONG_VALUE_OFFSET, room);
            return result < 0 ? result : memory.getInt(LENGTH_OFFSET);
        }
        ByteBuffer value = ByteBuffer.allocateDirect(room.length);
        int result = NativeArgument.pass(
                kernel, value, address -> kernel.getsockopt(fd, level, name, address, base + LENGTH_OFFSET));
        if (result < 0) {
            return result;
        }
        value.get(0, room);
        return memory.getInt(LENGTH_OFFSET);
    }

    /** Returns the number of datagrams that a socket has dropped ({@code SO_MEMINFO}); 0 if the kernel does not know. */
    public long drops(int fd) {
        return memoryNumber(fd, Sockets.SK_MEMINFO_DROPS);
    }

    /** Returns the number of bytes in the receive buffer, with the kernel's overhead; 0 if the kernel does not know. */
    public long receiveBufferUsed(int fd) {
        return memoryNumber(fd, Sockets.SK_MEMINFO_RMEM_ALLOC);
    }

    /** Returns the number of bytes in the send buffer that the peer has not taken ({@code SIOCOUTQ}); 0 if the kernel does not know. */
    public synchronized long sendBufferUsed(int fd) {
        memory.putInt(VALUE_OFFSET, 0);
        return kernel.ioctl(fd, Sockets.SIOCOUTQ, base + VALUE_OFFSET) < 0 ? 0 : memory.getInt(VALUE_OFFSET);
    }

    private long memoryNumber(int fd, int index) {
        byte[] numbers = new byte[(Sockets.SK_MEMINFO_DROPS + 1) * Integer.BYTES];
        int length = option(fd, Sockets.SOL_SOCKET, Sockets.SO_MEMINFO, numbers);
        return length < numbers.length
                ? 0
                : Integer.toUnsignedLong(
                        ByteBuffer.wrap(numbers).order(ByteOrder.nativeOrder()).getInt(index * Integer.BYTES));
    }

    /** Makes the kernel drop all packets that arrive from now on ({@code SO_ATTACH_FILTER}). Returns 0, or {@code -errno}. */
    public int dropArriving(int fd) {
        ByteBuffer instruction =
                ByteBuffer.allocateDirect(SocketFilterInstruction.SIZE_BYTES).order(ByteOrder.nativeOrder());
        instruction.putShort(
                SocketFilterInstruction.CODE_OFFSET, (short) (SocketFilters.BPF_RET | SocketFilters.BPF_K)); // k is 0
        ByteBuffer program =
                ByteBuffer.allocateDirect(SocketFilterProgram.SIZE_BYTES).order(ByteOrder.nativeOrder());
        program.putShort(SocketFilterProgram.LEN_OFFSET, (short) 1);
        return NativeArgument.pass(kernel, instruction, filter -> {
            program.putLong(SocketFilterProgram.FILTER_OFFSET, filter);
            return NativeArgument.pass(
                    kernel,
                    program,
                    value -> kernel.setsockopt(
                            fd, Sockets.SOL_SOCKET, Sockets.SO_ATTACH_FILTER, value, SocketFilterProgram.SIZE_BYTES));
        });
    }

    public void close(int fd) {
        kernel.close(fd);
    }

    public synchronized int intOption(int fd, int level, int name, String words) throws IOException {
        memory.putInt(LENGTH_OFFSET, Integer.BYTES);
        memory.putInt(VALUE_OFFSET, 0); // for some options the kernel writes only one byte
        Errno.check(
                "getsockopt " + words, kernel.getsockopt(fd, level, name, base + VALUE_OFFSET, base + LENGTH_OFFSET));
        return memory.getInt(VALUE_OFFSET);
    }

    public synchronized int resetOnClose(int fd) {
        memory.putInt(VALUE_OFFSET + Linger.ONOFF_OFFSET, 1);
        memory.putInt(VALUE_OFFSET + Linger.LINGER_OFFSET, 0);
        return kernel.setsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_LINGER, base + VALUE_OFFSET, Linger.SIZE_BYTES);
    }

    /** Ends a connection without closing the descriptor. A TCP peer sees a reset (AF_UNSPEC in connect(2)). A Unix peer sees the end. */
    public synchronized void cutOff(int fd) {
        memory.putLong(ADDRESS_OFFSET, 0);
        memory.putLong(ADDRESS_OFFSET + Long.BYTES, 0); // AF_UNSPEC is 0
        if (kernel.connect(fd, base + ADDRESS_OFFSET, SocketAddresses.INET_SIZE_BYTES) < 0) {
            kernel.shutdown(fd, Sockets.SHUT_RDWR); // its error is ignored: not connected
        }
    }

    /** Returns the CPU that received the last packet, {@link #NO_CPU} if unknown, or -errno. */
    public synchronized int incomingCpu(int fd) {
        memory.putInt(LENGTH_OFFSET, Integer.BYTES);
        int result = kernel.getsockopt(
                fd, Sockets.SOL_SOCKET, Sockets.SO_INCOMING_CPU, base + VALUE_OFFSET, base + LENGTH_OFFSET);
        if (result < 0) {
            return result;
        }
        int cpu = memory.getInt(VALUE_OFFSET);
        return cpu < 0 ? NO_CPU : cpu;
    }

    /** Returns and clears the pending error of the socket as a positive errno; 0 if there is none. */
    public synchronized int pendingError(int fd) {
        memory.putInt(LENGTH_OFFSET, Integer.BYTES);
        int result =
                kernel.getsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR, base + VALUE_OFFSET, base + LENGTH_OFFSET);
        return result < 0 ? -result : memory.getInt(VALUE_OFFSET);
    }
}
