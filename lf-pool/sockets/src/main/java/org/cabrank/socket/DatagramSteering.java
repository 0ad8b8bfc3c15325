package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.SocketFilterInstruction;
import org.cabrank.kernel.layout.SocketFilterProgram;
import org.cabrank.kernel.layout.SocketFilters;

/**
 * Rule by which the kernel chooses among sockets that share an address ({@link DatagramOptions#sharedPort}). The kernel runs a classic BPF
 * program ({@code SO_ATTACH_REUSEPORT_CBPF}, Linux 4.5). Immutable.
 *
 * <pre>
 *   A = number of the CPU, or 1, 2 or 4 bytes of the payload
 *   A = A mod sockets
 *   return A               the place of the socket in the order of binding, from 0
 * </pre>
 *
 * If a socket is bound with a rule, this rule replaces the former rule of the group. If the rule returns a place without a socket, the
 * kernel chooses by a hash of both addresses. When a socket closes, the last socket of the group moves to the free place.
 */
public final class DatagramSteering {
    private static final int LOAD = SocketFilters.BPF_LD | SocketFilters.BPF_ABS;
    private static final int INSTRUCTIONS = 3;
    private static final int SOCKETS_MAX = 65_535;

    private final int loadCode;
    private final int offset;
    private final int sockets;
    private final String words;

    private DatagramSteering(int loadCode, int offset, int sockets, String words) {
        if (sockets < 1 || sockets > SOCKETS_MAX) {
            throw new IllegalArgumentException("a group has 1 to " + SOCKETS_MAX + " sockets, not " + sockets);
        }
        this.loadCode = loadCode;
        this.offset = offset;
        this.sockets = sockets;
        this.words = words;
    }

    /** Returns a rule that takes the number of the receiving CPU, modulo {@code sockets}. */
    public static DatagramSteering byCpu(int sockets) {
        return new DatagramSteering(
                LOAD | SocketFilters.BPF_W, SocketFilters.SKF_AD_OFF + SocketFilters.SKF_AD_CPU, sockets, "CPU");
    }

    /**
     * Returns a rule that takes an unsigned big-endian number of 1, 2 or 4 {@code bytes} in the payload, at {@code offset} (0 to 65,535),
     * modulo {@code sockets}. A datagram that is too short goes to the first socket.
     */
    public static DatagramSteering byPayload(int offset, int bytes, int sockets) {
        if (offset < 0 || offset >= UdpSocket.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "offset must be from 0 to " + (UdpSocket.BYTES_MAX - 1) + ", but is " + offset);
        }
        int size = switch (bytes) {
            case Byte.BYTES -> SocketFilters.BPF_B;
            case Short.BYTES -> SocketFilters.BPF_H;
            case Integer.BYTES -> SocketFilters.BPF_W;
            default -> throw new IllegalArgumentException("a number has 1, 2 or 4 bytes, not " + bytes);
        };
        return new DatagramSteering(LOAD | size, offset, sockets, bytes + " bytes at " + offset);
    }

    void attach(Kernel kernel, int fd) throws IOException {
        ByteBuffer program = ByteBuffer.allocateDirect(INSTRUCTIONS * SocketFilterInstruction.SIZE_BYTES)
                .order(ByteOrder.nativeOrder());
        add(program, loadCode, offset);
        add(program, SocketFilters.BPF_ALU | SocketFilters.BPF_MOD | SocketFilters.BPF_K, sockets);
        add(program, SocketFilters.BPF_RET | SocketFilters.BPF_A, 0);
        ByteBuffer value =
                ByteBuffer.allocateDirect(SocketFilterProgram.SIZE_BYTES).order(ByteOrder.nativeOrder());
        value.putShort(SocketFilterProgram.LEN_OFFSET, (short) INSTRUCTIONS);
        int result = NativeArgument.pass(kernel, program, address -> {
            value.putLong(SocketFilterProgram.FILTER_OFFSET, address);
            return NativeArgument.pass(
                    kernel,
                    value,
                    argument -> kernel.setsockopt(
                            fd,
                            Sockets.SOL_SOCKET,
                            Sockets.SO_ATTACH_REUSEPORT_CBPF,
                            argument,
                            SocketFilterProgram.SIZE_BYTES));
        });
        if (result < 0) {
            IOException cause = Errno.exception("setsockopt SO_ATTACH_REUSEPORT_CBPF", result);
            throw new IOException(
                    "steering by " + this + ": " + cause.getMessage()
                            + "; use Linux 4.5 or later, permit the option in the sandbox (seccomp), raise sysctl"
                            + " net.core.optmem_max if memory is short, or leave steering out",
                    cause);
        }
    }

    private static void add(ByteBuffer program, int code, int operand) {
        program.putShort((short) code).put((byte) 0).put((byte) 0).putInt(operand);
    }

    @Override
    public String toString() {
        return words + " modulo " + sockets;
    }
}
