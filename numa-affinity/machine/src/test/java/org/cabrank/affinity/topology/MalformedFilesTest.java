package org.cabrank.affinity.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Missing or malformed files are read as a flat machine and noted, and cause no exception. */
@Tag("newest") // on an older JDK in a soak only
class MalformedFilesTest {
    private static final String CPU = "sys/devices/system/cpu/";
    private static final String NODE = "sys/devices/system/node/";

    @TempDir(factory = InMemory.class)
    Path directory;

    private MachineFixture holes() {
        return Machine.HOLES.in(directory);
    }

    @Test
    void machineThatShowsNothingHasOneCpu() {
        Topology topology = new MachineFixture(directory).topology();
        assertEquals(
                List.of(new Cpu(0, true, 0, 0, -1, -1, -1, 0, 0, CoreKind.UNIFORM, 1024, 0, false, false)),
                topology.cpus());
        assertEquals(List.of(new MemoryNode(0, CpuList.of(0), -1, -1, List.of(10))), topology.nodes());
        assertTrue(topology.nodes().get(0).hasMemory(), "how much is unknown");
        assertEquals(new MachineInfo("", "", ""), topology.machine());
        assertNote(topology, CPU.substring(0, CPU.length() - 1), "it is taken for a machine with CPU 0");
    }

    @Test
    void cpusAreKnownByTheirDirectories() {
        Topology topology = holes().write(CPU + "present", "0-7;16").topology();
        assertEquals("0-7,16-23", topology.present().toString());
        assertNote(topology, CPU + "present", "holds no list, so it is left out of account: '0-7;16'");
        assertNote(
                topology, CPU + "present", "is of no use: CPUs are those that have a directory beside it, 0-7,16-23");
    }

    @Test
    void cpusAreKnownFromCpuinfo() {
        Topology topology = holes().delete("sys/devices").topology();
        assertEquals("0-2,6-7,16-17,19,22", topology.present().toString());
        assertEquals("0 1 2 6 7 16 17 19 22", text(topology.cores()));
        assertEquals("0-2,6-7,16-17,19,22", text(topology.packages()));
    }

    @Test
    void cpusSayThemselvesWhetherTheyAreOnline() {
        Topology topology = holes().delete(CPU + "online").topology();
        assertEquals("0-2,6-7,16-17,19,22", topology.online().toString());
        assertNote(topology, CPU + "online", "is of no use");
    }

    @Test
    void cpuThatIsOnlineIsPresent() {
        Topology topology = holes().write(CPU + "present", "0-1").topology();
        assertEquals("0-2,6-7,16-17,19,22", topology.present().toString());
    }

    /** Kernels 5.15-rc wrote a NUL behind the newline. */
    @Test
    void aNulBehindAListIsNoPartOfIt() {
        Topology topology =
                holes().write(CPU + "online", "0-2,6-7,16-17,19,22\n\0").topology();
        assertEquals("0-2,6-7,16-17,19,22", topology.online().toString());
        assertEquals(
                List.of(),
                topology.notes().stream()
                        .filter(note -> note.contains("/online"))
                        .toList());
    }

    /** numa=fake, or a faulty table: the kernel's link from the CPU to its node counts. */
    @Test
    void cpusOfSeveralNodesAreTakenForTheNodeThatTheyName() {
        Topology topology = new MachineFixture(directory)
                .write(CPU + "present", "0-3")
                .write(CPU + "online", "0-3")
                .write(NODE + "online", "0-1")
                .write(NODE + "node0/cpulist", "0-3")
                .write(NODE + "node1/cpulist", "0-3")
                .directory(CPU + "cpu0/node0")
                .directory(CPU + "cpu1/node0")
                .directory(CPU + "cpu2/node1")
                .directory(CPU + "cpu3")
                .topology();
        assertEquals(
                List.of(0, 0, 1, 0), topology.cpus().stream().map(Cpu::node).toList());
        assertNote(topology, NODE.substring(0, NODE.length() - 1), "shows CPU 0-3 on several nodes");
    }

    @Test
    void coresAreKnownByOlderNamesAndByNumbers() {
        MachineFixture machine = holes();
        List<Integer> cpus = CpuList.parse("0-2,6-7,16-17,19,22").cpus().boxed().toList();
        cpus.forEach(cpu -> machine.delete(CPU + "cpu" + cpu + "/topology/core_cpus_list")
                .delete(CPU + "cpu" + cpu + "/topology/package_cpus_list"));
        Topology byNumbers = machine.topology();
        assertEquals("0,16 1,17 2 6,22 7 19", text(byNumbers.cores()));
        assertEquals("0-2,16-17,19 6-7,22", text(byNumbers.packages()));
        assertEquals(List.of(), byNumbers.notes());

        cpus.forEach(cpu -> machine.delete(CPU + "cpu" + cpu + "/topology/core_id")
                .delete(CPU + "cpu" + cpu + "/topology/physical_package_id")
                .write(CPU + "cpu" + cpu + "/topology/core_siblings", cpu < 16 ? "000000c7" : "004b0000")
                .write(CPU + "cpu" + cpu + "/topology/thread_siblings_list", cpu));
        Topology byOlderNames = machine.topology();
        assertEquals("0 1 2 6 7 16 17 19 22", text(byOlderNames.cores()));
        assertEquals("0-2,6-7 16-17,19,22", text(byOlderNames.packages()));
        assertEquals(List.of(), byOlderNames.notes());
    }

    @Test
    void cpusThatContradictEachOtherAreCoresOfTheirOwn() {
        Topology topology = holes().write(CPU + "cpu16/topology/core_cpus_list", "16")
                .write(CPU + "cpu6/topology/core_cpus_list", "7")
                .topology();
        assertEquals("0 1,17 2 6 7 16 19 22", text(topology.cores()));
        assertNote(topology, CPU + "cpu{0,6,22}/topology/core_cpus_list", "leaves the CPU itself out");
        assertNote(topology, CPU + "cpu{0,6,22}/topology", "does not show the CPU's core");
    }

    @Test
    void cpuWithoutAListIsWhereItsSiblingSays() {
        Topology topology =
                holes().delete(CPU + "cpu16/topology/core_cpus_list").topology();
        assertEquals("0,16 1,17 2 6,22 7 19", text(topology.cores()));
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void cpusWhosePackageIsUnknownAreInOneOfTheirOwn() {
        Topology topology = holes().write(CPU + "online", "0-7,16-23").topology();
        assertEquals("0-2,16-17,19 3-5,18,20-21,23 6-7,22", text(topology.packages()));
        assertNote(topology, CPU + "cpu{3-5,18,20-21,23}/topology", "does not show the CPU's package");
    }

    @Test
    void cachesAreKnownByTheirNumbers() {
        MachineFixture machine = holes();
        CpuList.parse("0-2,6-7,16-17,19,22")
                .cpus()
                .forEach(cpu -> machine.write(CPU + "cpu" + cpu + "/cache/index3/shared_cpu_list", "?")
                        .delete(CPU + "cpu" + cpu + "/cache/index2/shared_cpu_list"));
        Topology topology = machine.topology();
        assertEquals("0-2,16-17,19 6-7,22", text(topology.l3Domains()));
        assertEquals("0,16 1,17 2 6,22 7 19", text(topology.domains(Cpu::l2)));
        assertNote(
                topology,
                CPU + "cpu{0-2,6-7,16-17,19,22}/cache/index3/shared_cpu_list",
                "holds no list, so it is left out of account: '?'");
    }

    @Test
    void cacheOfInstructionsIsNoDomain() {
        MachineFixture machine = Machine.CLOUD_VM.in(directory);
        for (int cpu = 0; cpu < 2; cpu++) {
            machine.write(CPU + "cpu" + cpu + "/cache/index4/level", 2)
                    .write(CPU + "cpu" + cpu + "/cache/index4/type", "Instruction")
                    .write(CPU + "cpu" + cpu + "/cache/index4/shared_cpu_list", "0-1");
        }
        assertEquals("0 1", text(machine.topology().domains(Cpu::l2)));
    }

    @Test
    void nodesAreKnownByTheirDirectories() {
        Topology topology = holes().delete(NODE + "online").topology();
        assertEquals(
                List.of(0, 2), topology.nodes().stream().map(MemoryNode::id).toList());
    }

    @Test
    void distancesThatAreTooFewAreNearAndFar() {
        Topology topology = holes().write(NODE + "node2/distance", "20").topology();
        assertEquals(List.of(20, 10), topology.node(2).orElseThrow().distances());
        assertNote(topology, NODE + "node2/distance", "a node's distance is taken for 10 to itself and 20 to others");
        assertEquals(20, topology.distance(0, 77), "to a node that is not there");
        assertEquals(10, topology.distance(77, 77));
    }

    @Test
    void nodeThatDoesNotTellItsCpusHasNone() {
        Topology topology = holes().delete(NODE + "node2/cpulist").topology();
        assertEquals("", topology.node(2).orElseThrow().cpus().toString());
        assertEquals(-1, topology.cpu(22).orElseThrow().node());
        assertNote(topology, NODE + "node2/cpulist", "no CPU is taken for this node's");
        assertNote(topology, CPU + "cpu{6-7,22}", "is on no node");
    }

    @Test
    void onlyNodeHasAllCpus() {
        Topology topology = Machine.CLOUD_VM
                .in(directory)
                .write(NODE + "node0/cpulist", "x")
                .topology();
        assertEquals("0-1", topology.node(0).orElseThrow().cpus().toString());
    }

    @Test
    void memoryThatIsNotToldIsUnknown() {
        Topology topology =
                holes().write(NODE + "node0/meminfo", "Node 0 MemTotal: lots").topology();
        assertEquals(-1, topology.node(0).orElseThrow().totalBytes());
        assertNote(topology, NODE + "node0/meminfo", "how much memory there is is unknown");
    }

    @Test
    void coresThatDifferALittleAreOfOneKind() {
        MachineFixture machine = Machine.CLOUD_VM.in(directory);
        Topology nearly = machine.write(CPU + "cpu1/cpu_capacity", "900").topology();
        assertFalse(nearly.hybrid());
        assertEquals(900, nearly.cpu(1).orElseThrow().capacity());
        assertTrue(machine.write(CPU + "cpu1/cpu_capacity", "890").topology().hybrid());
    }

    @Test
    void capacityIsThatOfTheFirstSourceThatTellsCpusApart() {
        MachineFixture machine = Machine.CLOUD_VM.in(directory);
        machine.write(CPU + "cpu0/cpufreq/cpuinfo_max_freq", "4000000")
                .write(CPU + "cpu1/cpufreq/cpuinfo_max_freq", "3600000");
        assertEquals(922, machine.topology().cpu(1).orElseThrow().capacity(), "cpu_capacity is 1024 of both");
        machine.write(CPU + "cpu0/acpi_cppc/highest_perf", "166");
        assertEquals(922, machine.topology().cpu(1).orElseThrow().capacity(), "CPPC knows one of them only");
        machine.write(CPU + "cpu1/acpi_cppc/highest_perf", "231");
        assertEquals(736, machine.topology().cpu(0).orElseThrow().capacity());
        assertFalse(machine.topology().hybrid(), "preferred cores of one kind");
    }

    @Test
    void eventSourceOfOneKindIsNoHybridMachine() {
        MachineFixture machine = Machine.HYBRID_LAPTOP.in(directory);
        machine.write("sys/devices/cpu_lowpower/cpus", "14-15").write("sys/devices/cpu_atom/cpus", "8-13");
        Topology lowPower = machine.topology();
        assertEquals(CoreKind.EFFICIENCY, lowPower.cpu(13).orElseThrow().kind());
        assertEquals(CoreKind.LOW_POWER, lowPower.cpu(14).orElseThrow().kind());
        MachineFixture one = Machine.CLOUD_VM.in(directory.resolve("vm"));
        assertFalse(one.write("sys/devices/cpu_core/cpus", "0-1").topology().hybrid());
    }

    @Test
    void interruptsThatProcfsDoesNotShowGoAnywhere() {
        Topology topology = Machine.CLOUD_VM.in(directory).delete("proc/irq").topology();
        NetworkInterface card = topology.networkInterface("eth0").orElseThrow();
        assertEquals(
                new Interrupt(38, "", CpuList.of(), CpuList.of()),
                card.interrupts().get(1));
        assertTrue(card.interruptCpus().isEmpty());
        assertNote(topology, "proc/irq", "does not show for every interrupt of eth0 to which CPUs it may go");
    }

    @Test
    void interruptWithoutEffectiveListGoesWhereItMay() {
        Topology topology = Machine.CLOUD_VM
                .in(directory)
                .delete("proc/irq/38/effective_affinity_list")
                .topology();
        assertEquals(
                CpuList.parse("0-1"),
                topology.networkInterface("eth0")
                        .orElseThrow()
                        .interrupts()
                        .get(1)
                        .cpus());
    }

    @Test
    void linksToNowhereAndInCirclesAreNoDevices() throws IOException {
        MachineFixture machine = Machine.CLOUD_VM.in(directory);
        machine.delete("sys/class/net/eth0/device");
        Files.createSymbolicLink(directory.resolve("sys/class/net/eth0/device"), Path.of("device"));
        machine.link("sys/devices/virtual/net/lo/device", "nowhere")
                .link("sys/devices/virtual/net/lo/lower_lo", "sys/class/net/lo");
        Topology topology = machine.topology();
        assertEquals("", topology.networkInterface("eth0").orElseThrow().device());
        assertEquals("", topology.networkInterface("lo").orElseThrow().device());
    }

    /** Each file of a machine in turn, so that the parser of each sees it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "-1",
                "0-",
                "4294967296",
                "99999999999999999999",
                "8191",
                "0-40",
                "a\0b",
                "\u00fc,1"
            })
    void anyTextInAnyFileIsNoException(String text) throws IOException {
        assertReadWithEachFile(file -> Files.writeString(file, text));
    }

    @Test
    void anyFileMayBeAbsent() throws IOException {
        assertReadWithEachFile(Files::delete);
    }

    @Test
    void anyFileMayBeADirectory() throws IOException {
        assertReadWithEachFile(file -> {
            Files.delete(file);
            Files.createDirectory(file);
        });
    }

    private interface Damage {
        void inflictOn(Path file) throws IOException;
    }

    private void assertReadWithEachFile(Damage damage) throws IOException {
        MachineFixture machine = Machine.CLOUD_VM.in(directory);
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            byte[] before = Files.readAllBytes(file);
            damage.inflictOn(file);
            assertWhole(machine.topology(), file);
            Files.deleteIfExists(file);
            Files.write(file, before);
        }
        assertEquals(List.of(), machine.topology().notes());
    }

    private static void assertWhole(Topology topology, Path damaged) {
        String message = damaged + ": " + topology;
        assertFalse(topology.online().isEmpty(), message);
        assertEquals(topology.online(), union(topology.cores()), message);
        assertEquals(topology.online(), union(topology.packages()), message);
        assertFalse(topology.nodes().isEmpty(), message);
        topology.nodes()
                .forEach(node ->
                        assertEquals(topology.nodes().size(), node.distances().size(), message));
    }

    private static CpuList union(List<CpuList> lists) {
        return lists.stream().reduce(CpuList.of(), CpuList::union);
    }

    private static String text(List<CpuList> lists) {
        return lists.stream().map(CpuList::toString).collect(Collectors.joining(" "));
    }

    private void assertNote(Topology topology, String path, String words) {
        assertTrue(
                topology.notes().stream()
                        .anyMatch(note -> note.startsWith(directory.resolve(path) + " ") && note.contains(words)),
                () -> path + " " + words + " is not among " + topology.notes());
    }
}
