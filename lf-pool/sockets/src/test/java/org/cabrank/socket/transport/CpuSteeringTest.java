package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.kernel.layout.SocketFilterInstruction;
import org.cabrank.kernel.layout.SocketFilters;
import org.cabrank.lf.ShardPlacement;
import org.junit.jupiter.api.Test;

/** Results of the program for each CPU, run by an interpreter of the few instructions that it consists of. */
class CpuSteeringTest {
    private static ShardPlacement on(int[]... cpusOfShards) {
        return new ShardPlacement() {
            @Override
            public void place(int shard, int thread) {
                // nobody runs
            }

            @Override
            public int[] cpus(int shard) {
                return cpusOfShards[shard];
            }
        };
    }

    private static CpuSteering steering(int[]... cpusOfShards) {
        return new CpuSteering(new CpuShards(on(cpusOfShards), cpusOfShards.length));
    }

    private static int[] cpus(int first, int last) {
        return IntStream.rangeClosed(first, last).toArray();
    }

    private static int run(CpuSteering steering, int cpu) {
        ByteBuffer program = steering.program();
        long accumulator = 0;
        for (int next = 0; next < steering.instructions(); next++) {
            int at = next * SocketFilterInstruction.SIZE_BYTES;
            int operand = program.getInt(at + SocketFilterInstruction.K_OFFSET);
            switch (program.getShort(at + SocketFilterInstruction.CODE_OFFSET)) {
                case SocketFilters.BPF_LD | SocketFilters.BPF_W | SocketFilters.BPF_ABS -> {
                    assertEquals(SocketFilters.SKF_AD_OFF + SocketFilters.SKF_AD_CPU, operand);
                    accumulator = cpu;
                }
                case SocketFilters.BPF_JMP | SocketFilters.BPF_JGE | SocketFilters.BPF_K ->
                    next += program.get(at
                            + (accumulator >= operand
                                    ? SocketFilterInstruction.JT_OFFSET
                                    : SocketFilterInstruction.JF_OFFSET));
                case SocketFilters.BPF_ALU | SocketFilters.BPF_MOD | SocketFilters.BPF_K -> accumulator %= operand;
                case SocketFilters.BPF_RET | SocketFilters.BPF_A -> {
                    return (int) accumulator;
                }
                case SocketFilters.BPF_RET | SocketFilters.BPF_K -> {
                    return operand;
                }
                default -> throw new AssertionError("instruction " + next);
            }
        }
        throw new AssertionError("the program has no end");
    }

    private static List<Integer> answers(CpuSteering steering, int cpus) {
        return IntStream.range(0, cpus).mapToObj(cpu -> run(steering, cpu)).toList();
    }

    @Test
    void withoutKnownCpusTheNumberDecides() {
        assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), answers(steering(cpus(0, -1), cpus(0, -1), cpus(0, -1)), 7));
    }

    @Test
    void eachCpuLeadsToItsShardAndOthersGoByTheirNumber() {
        assertEquals(
                List.of(0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1),
                answers(steering(new int[] {8, 9, 6}, new int[] {2, 1, 3, 7}), 12));
    }

    @Test
    void firstCpuMayBeAShardsOrNot() {
        assertEquals(List.of(1, 0, 0), answers(steering(new int[] {1}, new int[] {0}), 3));
        assertEquals(List.of(0, 0, 1, 1), answers(steering(new int[] {1}, new int[] {2}), 4));
    }

    /** One shard for each of 128 cores whose SMT siblings are 128 numbers further. */
    @Test
    void largeMachineFitsTheKernelsBound() {
        CpuSteering steering = steering(IntStream.range(0, 128)
                .mapToObj(core -> new int[] {core, core + 128})
                .toArray(int[][]::new));
        for (int cpu = 0; cpu < 256; cpu++) {
            assertEquals(cpu % 128, run(steering, cpu));
        }
        assertTrue(steering.instructions() < SocketFilters.BPF_MAXINSNS);
    }

    @Test
    void blocksOfCpusTakeTwoInstructionsEach() {
        CpuSteering steering = steering(cpus(0, 63), cpus(64, 127));
        assertEquals(1 + 2 * 2 + 2, steering.instructions());
        assertEquals(1, run(steering, 64));
        assertEquals(0, run(steering, 63));
    }

    @Test
    void aCpuOfSeveralShardsIsRefusedWithTheRemedy() {
        CpuSteering steering = steering(cpus(0, 1), cpus(1, 2));
        IOException refused = assertThrows(IOException.class, () -> steering.attach(null, -1));
        assertTrue(refused.getMessage().startsWith("several shards run on CPU 1"), refused::getMessage);
    }

    @Test
    void aProgramThatIsTooLongIsRefusedWithTheRemedy() {
        CpuSteering steering = steering(
                IntStream.range(0, 1500).map(i -> 4 * i + 1).toArray(),
                IntStream.range(0, 1500).map(i -> 4 * i + 3).toArray());
        assertEquals(1, run(steering, 7));
        IOException refused = assertThrows(IOException.class, () -> steering.attach(null, -1));
        assertTrue(refused.getMessage().contains("instructions"), refused::getMessage);
    }
}
