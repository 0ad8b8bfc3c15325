package org.cabrank.bench.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.CpuGroups;
import org.cabrank.affinity.fixture.DescribedMachine;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineBuilder;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.text.Colours;
import org.cabrank.pinning.MachineSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Once
final class TextDrawingTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private String draw(Machine machine) throws Exception {
        return TextDrawing.of(Drawings.of(machine, directory), null, Drawings.PLAIN);
    }

    private static void contains(String text, String... words) {
        for (String word : words) {
            assertTrue(text.contains(word), word + " is missing in:\n" + text);
        }
    }

    @Test
    void aSmallMachineIsDrawnCpuByCpuWithItsShards() throws Exception {
        MachineSnapshot laptop = Drawings.of(Machine.HYBRID_LAPTOP, directory);
        String text = TextDrawing.of(laptop, Drawings.plan(laptop, "cores", 2, 1), Drawings.PLAIN);
        contains(
                text,
                "12th Gen Intel(R) Core(TM) i7-1260P, x86_64, Linux 6.8.0-51-generic\n",
                "16 CPUs online, 12 cores, 1 L3 cache, 1 package, 1 memory node with 31.3 GiB\n",
                "    L3 0  [P0=s0 1] [P2=s1 3] [P4 5] [P6 7] [E8] [E9] [E10] [E11] [E12] [E13] [E14] [E15]\n",
                "wlp0s20f3  node unknown, up, 0000:00:14.3, 1 interrupt on CPU 3",
                "shard 1  CPU 2",
                "N=sM shard M goes to CPU N",
                "P performance core; E efficiency core");
    }

    @Test
    void coresWithoutL3AreDrawnLast() throws Exception {
        MachineSnapshot laptop = Drawings.of(DescribedMachine.METEOR_LAKE.in(directory));
        contains(TextDrawing.of(laptop, null, Drawings.PLAIN), """
                    L3 0  [P0 1] [P2 3] [P4 5] [P6 7] [P8 9] [P10 11] [E12] [E13] [E14] [E15] [E16] [E17] [E18]
                          [E19]
                    no L3 shown  [L20] [L21]
                """);
    }

    @ParameterizedTest
    @EnumSource(DescribedMachine.class)
    void everyShardIsPrintedWithItsReason(DescribedMachine described) throws Exception {
        MachineSnapshot machine = Drawings.of(described.in(directory));
        PlacementPlan plan = Drawings.plan(machine, "cores", 2, 1);
        String text = TextDrawing.of(machine, plan, Drawings.PLAIN);
        for (ShardPlace shard : plan.shards()) {
            contains(text, "shard " + shard.shard() + "  CPU " + shard.cpus(), shard.why());
        }
    }

    @Test
    void aLargeMachineGetsALineForEachCache() throws Exception {
        MachineSnapshot epyc = Drawings.of(Machine.EPYC_TWO_SOCKETS, directory);
        String text = TextDrawing.of(epyc, Drawings.plan(epyc, "l3", 0, 4), Drawings.PLAIN);
        contains(
                text,
                "package 1\n  node 4",
                "    L3 15  CPU 120-127,248-255  8 cores x 2  s15\n",
                "distances     0   1   2   3   4   5   6   7\n",
                "  node 7     32  32  32  32  12  12  12  10\n",
                "enp161s0f0np0  node 5, up, 0000:a1:00.0, 8 interrupts on CPU 80-87\n");
        assertFalse(text.contains("[0 128]"), text);
    }

    /** 16 nodes with CPUs, 48 without, 70 functions of network cards, and every other CPU for this process. */
    private MachineSnapshot machineOf2048Cpus() throws Exception {
        MachineBuilder machine = new MachineBuilder(directory.resolve("2048"));
        List<CpuList> nodes = CpuGroups.smt(1024, 64);
        machine.cpus("0-2047", "0-2047")
                .topology(CpuGroups.smt(1024, 128), 0, CpuGroups.smt(1024, 1))
                .caches(CpuGroups.smt(1024, 1), CpuGroups.smt(1024, 8))
                .nodes("0-63");
        for (int node = 0; node < 64; node++) {
            CpuList cpus = node < nodes.size() ? nodes.get(node) : CpuList.of();
            machine.node(node, cpus, 64_000, 32_000, node + " is no row of distances");
        }
        for (int card = 0; card < 70; card++) {
            machine.card("eth" + card, "pci0000:00/0000:00:" + card + ".0", 0, card > 60);
        }
        String everyOther = CpuList.of(
                        IntStream.range(0, 1024).map(cpu -> 2 * cpu).toArray())
                .toString();
        machine.files().write("proc/self/status", "Cpus_allowed_list:\t" + everyOther);
        return Drawings.of(machine.files());
    }

    @Test
    void aMachineOf2048CpusIsDrawnInFull() throws Exception {
        MachineSnapshot machine = machineOf2048Cpus();
        PlacementPlan plan = Drawings.plan(machine, "threads", 0, 1);
        String text = TextDrawing.of(machine, plan, Drawings.PLAIN);
        contains(text, "distances  from 20 to 20 between nodes");
        contains(text, "    L3 127  CPU 1016-1023,2040-2047", "  node 63", "eth0  node 0, down", plan.describe());
    }

    @Test
    void aMachineWithoutNetworkCardsSaysSo() throws Exception {
        contains(draw(Machine.HOLES), "network interfaces\n  none with a device\n");
    }

    @Test
    void cpusThatTheProcessMayNotUseAreInParentheses() throws Exception {
        MachineFixture machine = Machine.CXL_MEMORY.in(directory);
        machine.write("proc/self/status", "Cpus_allowed_list:\t0-3\nMems_allowed_list:\t0");
        String text = TextDrawing.of(Drawings.of(machine), null, Drawings.PLAIN);
        contains(
                text,
                "this process may use CPU 0-3, without a quota\n",
                "[0 (16)] [1 (17)] [2 (18)] [3 (19)] [(4) (20)]",
                "nodes without CPUs\n  node 2  500 GiB, 500 GiB free\n",
                "(0) not for this process");
    }

    @Test
    void isolatedCpusAreMarked() throws Exception {
        MachineFixture machine = Machine.CXL_MEMORY.in(directory);
        machine.write("sys/devices/system/cpu/isolated", "3,19").write("sys/devices/system/cpu/nohz_full", "3");
        contains(
                TextDrawing.of(Drawings.of(machine), null, Drawings.PLAIN), "[3in 19i]", "0i isolated", "0n nohz_full");
    }

    @Test
    void cpusThatAreOfflineStandByThemselves() throws Exception {
        contains(draw(Machine.HOLES), "offline\n  CPU 3-5,18,20-21,23\n", "  node 2  ");
    }

    /** Every CPU has its place in a drawing, or is named among those that are offline. */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.topology.Drawings#machines")
    void everyMachineCanBeDrawn(Machine machine) throws Exception {
        MachineSnapshot snapshot = Drawings.of(machine, directory);
        String text = TextDrawing.of(snapshot, Drawings.plan(snapshot, "spread", 3, 2), Drawings.PLAIN);
        assertTrue(text.contains("package"), text);
        assertTrue(text.contains("shard 2  CPU "), text);
        assertTrue(text.lines().allMatch(line -> line.equals(line.stripTrailing())), text);
        int online = snapshot.topology().online().size();
        assertEquals(
                online,
                MachineTree.of(snapshot.topology()).packages().stream()
                        .flatMap(pkg -> pkg.nodes().stream())
                        .flatMap(node -> node.caches().stream())
                        .flatMapToInt(cache -> IntStream.of(cache.cpus().size()))
                        .sum());
    }

    @Test
    void coloursRepeatOnlyWhatTheTextSays() throws Exception {
        MachineSnapshot laptop = Drawings.of(Machine.HYBRID_LAPTOP, directory);
        String coloured = TextDrawing.of(laptop, Drawings.plan(laptop, "cores", 2, 1), new Colours(true));
        assertTrue(coloured.contains("\u001b[1;32m0=s0\u001b[0m"), coloured);
        assertEquals(
                TextDrawing.of(laptop, Drawings.plan(laptop, "cores", 2, 1), Drawings.PLAIN),
                coloured.replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    @Test
    void missingFactsAreRecorded() throws Exception {
        contains(draw(Machine.MICRO_VM), "note: ");
    }
}
