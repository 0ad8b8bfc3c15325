package org.cabrank.socket.transport;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.SocketFilterInstruction;
import org.cabrank.kernel.layout.SocketFilterProgram;
import org.cabrank.kernel.layout.SocketFilters;

/**
 * The program by which the kernel chooses a socket of a group of listening sockets. It chooses the shard that runs on the receiving CPU.
 *
 * <pre>
 *   A = CPU
 *   for each run of CPUs that belong to one shard, and each gap between two runs, in ascending order:
 *     if A &gt;= the CPU behind it, skip to the next
 *     return the shard                      (a gap: A mod shards)
 *   return A mod shards
 * </pre>
 *
 * <p>The result is the place of a socket in the order in which the sockets began to listen. While sockets are being closed, the place may
 * be empty. The kernel then chooses by a hash of the addresses. The group must not have older sockets, because the kernel counts them first
 * ({@link SharedListening} checks that). A server that joins later gets the places of closed sockets, or replaces the program.
 */
final class CpuSteering {
    private static final int LOAD_CPU = SocketFilters.BPF_LD | SocketFilters.BPF_W | SocketFilters.BPF_ABS;

    private static final int PER_CPU_MAX = 5;

    private static final int FRAME = 3;

    private static final int NO_SHARD = -1;

    private final CpuShards cpus;
    private final ByteBuffer program;

    private int runShard = NO_SHARD;

    CpuSteering(CpuShards cpus) {
        this.cpus = cpus;
        int most = FRAME;
        for (int cpu : cpus.cpus()) {
            most += PER_CPU_MAX;
        }
        program = ByteBuffer.allocateDirect(most * SocketFilterInstruction.SIZE_BYTES)
                .order(ByteOrder.nativeOrder());
        write();
    }

    private void write() {
        add(LOAD_CPU, 0, 0, SocketFilters.SKF_AD_OFF + SocketFilters.SKF_AD_CPU);
        int next = 0;
        for (int cpu : cpus.cpus()) {
            int shard = cpus.on(cpu)[0];
            if (cpu > next) {
                endRun(next);
                runShard = NO_SHARD;
                endRun(cpu);
            } else if (shard != runShard) {
                endRun(cpu);
            }
            runShard = shard;
            next = cpu + 1;
        }
        endRun(next);
        addModulo();
        program.flip();
    }

    /** @param end the first CPU after the run */
    private void endRun(int end) {
        if (end == 0) {
            return;
        }
        int length = runShard == NO_SHARD ? 2 : 1;
        add(SocketFilters.BPF_JMP | SocketFilters.BPF_JGE | SocketFilters.BPF_K, length, 0, end);
        if (runShard == NO_SHARD) {
            addModulo();
        } else {
            add(SocketFilters.BPF_RET | SocketFilters.BPF_K, 0, 0, runShard);
        }
    }

    private void addModulo() {
        add(SocketFilters.BPF_ALU | SocketFilters.BPF_MOD | SocketFilters.BPF_K, 0, 0, cpus.shards());
        add(SocketFilters.BPF_RET | SocketFilters.BPF_A, 0, 0, 0);
    }

    private void add(int code, int whenTrue, int whenFalse, int operand) {
        program.putShort((short) code)
                .put((byte) whenTrue)
                .put((byte) whenFalse)
                .putInt(operand);
    }

    int instructions() {
        return program.limit() / SocketFilterInstruction.SIZE_BYTES;
    }

    ByteBuffer program() {
        return program.duplicate().order(ByteOrder.nativeOrder());
    }

    void attach(Kernel kernel, int fd) throws IOException {
        if (cpus.sharedCpu() >= 0) {
            throw new IOException("several shards run on CPU " + cpus.sharedCpu()
                    + ", of which the kernel could choose only one: give each shard CPUs of its own");
        }
        if (instructions() > SocketFilters.BPF_MAXINSNS) {
            throw new IOException(
                    "the shards' CPUs take a program of " + instructions() + " instructions, and the kernel "
                            + SocketFilters.BPF_MAXINSNS + " at most: give shards CPUs with consecutive numbers");
        }
        ByteBuffer value =
                ByteBuffer.allocateDirect(SocketFilterProgram.SIZE_BYTES).order(ByteOrder.nativeOrder());
        value.putShort(SocketFilterProgram.LEN_OFFSET, (short) instructions());
        value.putLong(SocketFilterProgram.FILTER_OFFSET, kernel.addressOf(program));
        int result = kernel.setsockopt(
                fd,
                Sockets.SOL_SOCKET,
                Sockets.SO_ATTACH_REUSEPORT_CBPF,
                kernel.addressOf(value),
                SocketFilterProgram.SIZE_BYTES);
        Reference.reachabilityFence(value);
        Reference.reachabilityFence(program);
        if (result < 0) {
            throw new IOException("the kernel does not take the program: "
                    + Errno.exception("setsockopt SO_ATTACH_REUSEPORT_CBPF", result)
                            .getMessage() + remedy(-result));
        }
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.ENOPROTOOPT -> "; it takes Linux 4.5";
            case Errno.EPERM, Errno.EACCES -> "; whoever runs this process (seccomp, a sandbox) forbids it";
            case Errno.ENOMEM -> "; raise net.core.optmem_max";
            default -> "";
        };
    }
}
