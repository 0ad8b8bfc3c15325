package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.SocketFilterInstruction;
import org.cabrank.kernel.layout.SocketFilterProgram;
import org.cabrank.kernel.layout.SocketFilters;
import org.junit.jupiter.api.Test;

/** Programs of classic BPF that share connections out among listening sockets, and the CPU that a connection came by. */
public abstract class SocketFiltersContract extends KernelContract {
    private static final int LISTENERS = 4;

    private static final int LOAD_CPU = SocketFilters.BPF_LD | SocketFilters.BPF_W | SocketFilters.BPF_ABS;

    /** Wider than the mask of any kernel: CONFIG_NR_CPUS ends at 8192. */
    private static final int MASK_BYTES = 4096;

    private final int[] listening = new int[LISTENERS];
    private int accepted;

    private void listenAsAGroup() {
        SocketAddress address = loopback();
        for (int i = 0; i < LISTENERS; i++) {
            listening[i] = opened(kernel().socket(
                            SocketAddresses.domain(address),
                            Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC | Sockets.SOCK_NONBLOCK,
                            0));
            good(setOption(listening[i], Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1));
            good(bind(listening[i], address));
            good(kernel().listen(listening[i], Sockets.SOMAXCONN));
            address = nameOf(listening[i]);
        }
    }

    /**
     * Opens a connection and returns the socket of the group that accepts it. On a busy machine the last packet of the
     * handshake may arrive only after connect(2) has returned.
     */
    private int takerOfANewConnection() {
        connectedTo(listening[0]);
        long endNs = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        do {
            for (int i = 0; i < LISTENERS; i++) {
                int result = kernel().accept4(listening[i], 0, 0, Sockets.SOCK_CLOEXEC);
                if (result >= 0) {
                    accepted = opened(result);
                    return i;
                }
                assertErrno(Errno.EAGAIN, result);
            }
        } while (System.nanoTime() < endNs);
        throw new AssertionError("a connection that is made can be accepted");
    }

    private static ByteBuffer program(int... codesAndOperands) {
        int instructions = codesAndOperands.length / 2;
        ByteBuffer program = memory(instructions * SocketFilterInstruction.SIZE_BYTES);
        for (int i = 0; i < instructions; i++) {
            int at = i * SocketFilterInstruction.SIZE_BYTES;
            program.putShort(at + SocketFilterInstruction.CODE_OFFSET, (short) codesAndOperands[2 * i]);
            program.putInt(at + SocketFilterInstruction.K_OFFSET, codesAndOperands[2 * i + 1]);
        }
        return program;
    }

    private int attach(ByteBuffer program) {
        ByteBuffer value = memory(SocketFilterProgram.SIZE_BYTES);
        value.putShort(
                SocketFilterProgram.LEN_OFFSET, (short) (program.capacity() / SocketFilterInstruction.SIZE_BYTES));
        value.putLong(SocketFilterProgram.FILTER_OFFSET, address(program));
        int result = kernel().setsockopt(
                        listening[0],
                        Sockets.SOL_SOCKET,
                        Sockets.SO_ATTACH_REUSEPORT_CBPF,
                        address(value),
                        SocketFilterProgram.SIZE_BYTES);
        assumeTrue(result != -Errno.ENOPROTOOPT, "this kernel takes no programs for listening sockets");
        return result;
    }

    @Test
    void programChoosesTheSocketThatTakesAConnection() {
        listenAsAGroup();
        for (int chosen = 0; chosen < LISTENERS; chosen++) {
            good(attach(program(SocketFilters.BPF_RET | SocketFilters.BPF_K, chosen)));
            for (int i = 0; i < 8; i++) {
                assertEquals(chosen, takerOfANewConnection());
            }
        }
        good(setOption(listening[0], Sockets.SOL_SOCKET, Sockets.SO_DETACH_REUSEPORT_BPF, 0));
        assertErrno(Errno.ENOENT, setOption(listening[0], Sockets.SOL_SOCKET, Sockets.SO_DETACH_REUSEPORT_BPF, 0));
    }

    /** Over loopback it is the sender's CPU that receives. */
    @Test
    void programAndSocketSeeTheReceivingCpu() {
        listenAsAGroup();
        good(attach(program(
                LOAD_CPU,
                SocketFilters.SKF_AD_OFF + SocketFilters.SKF_AD_CPU,
                SocketFilters.BPF_ALU | SocketFilters.BPF_MOD | SocketFilters.BPF_K,
                LISTENERS,
                SocketFilters.BPF_RET | SocketFilters.BPF_A,
                0)));
        ByteBuffer before = memory(MASK_BYTES);
        good(kernel().schedGetaffinity(0, MASK_BYTES, address(before)));
        try {
            BitSet.valueOf(before.duplicate()).stream().forEach(this::assertReceivesWhatIsSentFromIt);
        } finally {
            good(kernel().schedSetaffinity(0, MASK_BYTES, address(before)));
        }
    }

    private void assertReceivesWhatIsSentFromIt(int cpu) {
        ByteBuffer mask = memory(MASK_BYTES);
        mask.put(cpu / Byte.SIZE, (byte) (1 << cpu % Byte.SIZE));
        good(kernel().schedSetaffinity(0, MASK_BYTES, address(mask)));
        assertEquals(cpu % LISTENERS, takerOfANewConnection());
        assertEquals(cpu, option(accepted, Sockets.SOL_SOCKET, Sockets.SO_INCOMING_CPU));
    }

    @Test
    void nonsenseIsRefused() {
        listenAsAGroup();
        assertErrno(Errno.EINVAL, attach(program()));
        assertErrno(Errno.EINVAL, attach(program(LOAD_CPU, 0)));
    }
}
