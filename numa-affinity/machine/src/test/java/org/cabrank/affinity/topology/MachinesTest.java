package org.cabrank.affinity.topology;

import static org.cabrank.affinity.fixture.CpuGroups.consecutive;
import static org.cabrank.affinity.fixture.CpuGroups.smt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that are not here, and what of them is seen. */
@Tag("newest") // on an older JDK in a soak only
class MachinesTest {
    private static final long MIB = 1024 * 1024;

    @TempDir(factory = InMemory.class)
    Path directory;

    private Topology topology;

    private void read(Machine machine) {
        topology = machine.in(directory).topology();
    }

    @Test
    void epycOfTwoSocketsHasFourNodesOnEach() {
        read(Machine.EPYC_TWO_SOCKETS);
        assertEquals(
                new MachineInfo("x86_64", "6.8.0-51-generic", "AMD EPYC 7763 64-Core Processor"), topology.machine());
        assertEquals("0-255", topology.online().toString());
        assertEquals("0-63,128-191 64-127,192-255", text(topology.packages()));
        assertEquals(smt(128, 1), topology.cores());
        assertEquals("5,133", topology.smtSiblings(133).toString());
        assertEquals("", text(topology.domains(Cpu::cluster)), "a cluster of one core is none");
        assertEquals(smt(128, 1), topology.domains(Cpu::l2));
        assertEquals(smt(128, 8), topology.l3Domains());
        assertEquals("24-31,152-159", topology.l3Domains().get(3).toString());
        assertEquals(
                "0: 0-15,128-143 1: 16-31,144-159 2: 32-47,160-175 3: 48-63,176-191"
                        + " 4: 64-79,192-207 5: 80-95,208-223 6: 96-111,224-239 7: 112-127,240-255",
                nodes());
        assertEquals(
                List.of(32, 32, 32, 32, 12, 10, 12, 12), topology.nodes().get(5).distances());
        assertEquals(12, topology.distance(4, 7));
        assertEquals(32, topology.distance(7, 0));
        assertEquals(64_000 * MIB, topology.nodes().get(7).totalBytes());
        assertEquals(32_007 * MIB, topology.nodes().get(7).freeBytes());
        assertEquals(
                new Cpu(208, true, 80, 1, -1, 80, 10, 1, 5, CoreKind.UNIFORM, 1024, 3_529_052, false, false),
                topology.cpu(208).orElseThrow());
        NetworkInterface card = topology.networkInterface("enp161s0f0np0").orElseThrow();
        assertEquals("0000:a1:00.0", card.device());
        assertEquals(5, card.node());
        assertTrue(card.up());
        assertEquals("80-87", card.interruptCpus().toString());
        assertEquals(
                new Interrupt(203, "mlx5_comp3@pci:0000:a1:00.0", CpuList.parse("80-95,208-223"), CpuList.of(83)),
                card.interrupts().get(3));
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void xeonWithSubNumaClusteringHasNodesWithinAnL3Cache() {
        read(Machine.XEON_SUB_NUMA);
        assertEquals("0-31,64-95 32-63,96-127", text(topology.packages()));
        assertEquals(topology.packages(), topology.l3Domains());
        assertEquals(smt(64, 1), topology.cores());
        assertEquals(smt(64, 1), topology.domains(Cpu::l2));
        assertEquals(
                "0: 0-3,8-11,16-19,24-27,64-67,72-75,80-83,88-91"
                        + " 1: 4-7,12-15,20-23,28-31,68-71,76-79,84-87,92-95"
                        + " 2: 32-35,40-43,48-51,56-59,96-99,104-107,112-115,120-123"
                        + " 3: 36-39,44-47,52-55,60-63,100-103,108-111,116-119,124-127",
                nodes());
        assertEquals(11, topology.distance(0, 1));
        assertEquals(20, topology.distance(1, 2));
        assertEquals("24-31,88-95", topology.isolated().toString());
        assertEquals("24-31,88-95", topology.nohzFull().toString());
        assertEquals(
                new Cpu(92, true, 28, 1, -1, 28, 0, 0, 1, CoreKind.UNIFORM, 1024, 0, true, true),
                topology.cpu(92).orElseThrow());
        assertTrue(topology.smt());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void laptopHasTwoKindsOfCores() {
        read(Machine.HYBRID_LAPTOP);
        assertEquals(Map.of(CoreKind.PERFORMANCE, "0-7", CoreKind.EFFICIENCY, "8-15"), by(Cpu::kind));
        assertEquals(Map.of(1024, "0-7", 683, "8-15"), by(Cpu::capacity));
        assertEquals(Map.of(4_700_000L, "0-7", 3_400_000L, "8-15"), by(Cpu::maxFrequencyKhz));
        assertEquals("0-1 2-3 4-5 6-7 8 9 10 11 12 13 14 15", text(topology.cores()));
        assertEquals("8-11 12-15", text(topology.domains(Cpu::cluster)), "P-cores are in none");
        assertEquals("0-1 2-3 4-5 6-7 8-11 12-15", text(topology.domains(Cpu::l2)), "L1 caches do not count");
        assertEquals("0-15", text(topology.l3Domains()));
        assertEquals("0: 0-15", nodes());
        assertTrue(topology.hybrid());
        NetworkInterface wireless = topology.networkInterface("wlp0s20f3").orElseThrow();
        assertEquals(-1, wireless.node());
        assertEquals("3", wireless.interruptCpus().toString());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void phoneHasThreeKindsOfCores() {
        read(Machine.BIG_MIDDLE_LITTLE);
        assertEquals(
                Map.of(CoreKind.PERFORMANCE, "7", CoreKind.MIDDLE, "4-6", CoreKind.EFFICIENCY, "0-3"), by(Cpu::kind));
        assertEquals(Map.of(1024, "7", 620, "4-6", 250, "0-3"), by(Cpu::capacity));
        assertEquals("0-3 4-6", text(topology.domains(Cpu::cluster)));
        assertEquals("Arm Cortex-A55", topology.machine().modelName());
        assertEquals(List.of(), topology.notes());
    }

    /** Azure with accelerated networking: the interface of the virtual bus passes packets on to a virtual function. */
    @Test
    void anInterfaceWithADeviceOverAnotherOneHasTheInterruptsAndTheNodeOfBoth() {
        MachineBuilder azure = new MachineBuilder(directory);
        String vmbus = "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/MSFT1000:00/000d3a6e";
        String function = "pci7870:00/7870:00:02.0";
        azure.cpus("0-7", "0-7")
                .nodes("0-1")
                .node(0, CpuList.parse("0-3"), 16_000, 8_000, "10 20")
                .node(1, CpuList.parse("4-7"), 16_000, 8_000, "20 10")
                .card("eth0", vmbus, -1, true)
                .card("enP30832s1", function, 1, true)
                .interrupt(24, function, "mlx5_comp0@pci:7870:00:02.0", "4-7", "4")
                .interrupt(25, function, "mlx5_comp1@pci:7870:00:02.0", "4-7", "6")
                .files()
                .link("sys/devices/" + vmbus + "/net/eth0/lower_enP30832s1", "sys/class/net/enP30832s1");
        NetworkInterface eth0 =
                azure.files().topology().networkInterface("eth0").orElseThrow();
        assertEquals("4,6", eth0.interruptCpus().toString());
        assertEquals(1, eth0.node());
        assertEquals("000d3a6e", eth0.device());
    }

    @Test
    void armServerOfOneNodeHasNoL3Domains() {
        read(Machine.ARM_80_CORES);
        assertEquals(new MachineInfo("aarch64", "6.1.0-28-arm64", "Arm Neoverse-N1"), topology.machine());
        assertEquals("0-79", text(topology.packages()), "whatever its number is");
        assertEquals(consecutive(80, 1), topology.cores());
        assertEquals(consecutive(80, 2), topology.domains(Cpu::cluster));
        assertEquals(consecutive(80, 1), topology.domains(Cpu::l2));
        assertEquals(List.of(), topology.l3Domains());
        assertEquals("0: 0-79", nodes());
        assertEquals(
                new Cpu(79, true, 79, 0, 39, 79, -1, 0, 0, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(79).orElseThrow());
        assertFalse(topology.smt());
        assertFalse(topology.hybrid());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void armServerOfTwoNodesHasTwoL3DomainsOnEach() {
        read(Machine.ARM_128_CORES);
        assertEquals("HiSilicon Kunpeng-920", topology.machine().modelName());
        assertEquals("0-63 64-127", text(topology.packages()));
        assertEquals(consecutive(128, 1), topology.cores());
        assertEquals(consecutive(128, 4), topology.domains(Cpu::cluster));
        assertEquals("0-31 32-63 64-95 96-127", text(topology.l3Domains()));
        assertEquals("0: 0-63 1: 64-127", nodes());
        assertEquals(32, topology.distance(0, 1));
        assertEquals(
                new Cpu(66, true, 66, 0, 16, 66, 2, 1, 1, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(66).orElseThrow());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void memoryBehindCxlIsANodeWithoutCpus() {
        read(Machine.CXL_MEMORY);
        assertEquals("0: 0-7,16-23 1: 8-15,24-31 2: ", nodes());
        assertEquals(
                List.of(0, 1),
                topology.nodesWithCpus().stream().map(MemoryNode::id).toList());
        assertEquals(
                new MemoryNode(2, CpuList.of(), 512_000 * MIB, 512_000 * MIB, List.of(14, 24, 10)),
                topology.node(2).orElseThrow());
        assertTrue(topology.node(2).orElseThrow().hasMemory());
        assertEquals(24, topology.distance(1, 2));
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void bondHasWhatItsCardsHave() {
        read(Machine.CXL_MEMORY);
        NetworkInterface vlan = topology.networkInterface("vlan.7").orElseThrow();
        assertEquals("", vlan.device());
        assertEquals(0, vlan.node());
        assertEquals(
                List.of(90, 91), vlan.interrupts().stream().map(Interrupt::irq).toList());
        assertEquals("2,19", vlan.interruptCpus().toString());
        assertEquals(
                vlan.interrupts(),
                topology.networkInterface("bond0").orElseThrow().interrupts());
        assertFalse(topology.networkInterface("eno2").orElseThrow().up());
    }

    @Test
    void offlineCpusAndHolesLeaveTheOthersInPlace() {
        read(Machine.HOLES);
        assertEquals("0-7,16-23", topology.present().toString());
        assertEquals("0-2,6-7,16-17,19,22", topology.online().toString());
        assertEquals("0-2,16-17,19 6-7,22", text(topology.packages()));
        assertEquals("0,16 1,17 2 6,22 7 19", text(topology.cores()));
        assertEquals("0-2,16-17,19 6-7,22", text(topology.l3Domains()));
        assertEquals("0: 0-2,16-17,19 2: 6-7,22", nodes());
        assertEquals(20, topology.distance(0, 2));
        assertEquals(10, topology.distance(2, 2));
        assertTrue(topology.cpu(8).isEmpty());
        assertEquals(
                new Cpu(3, false, -1, -1, -1, -1, -1, -1, -1, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(3).orElseThrow());
        // CPU 19's sibling 3 is offline, so CPU 19 is the first thread of its core now.
        assertEquals(
                new Cpu(19, true, 5, 0, -1, 5, 0, 0, 0, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(19).orElseThrow());
        assertEquals("", topology.smtSiblings(3).toString());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void moreThanAThousandCpusAreReadFromMasks() {
        read(Machine.CPUS_1536);
        assertEquals("0-1535", topology.online().toString());
        assertEquals(smt(768, 48), topology.packages());
        assertEquals(smt(768, 1), topology.cores());
        assertEquals(smt(768, 48), topology.l3Domains());
        assertEquals("720-767,1488-1535", topology.l3Domains().get(15).toString());
        assertEquals(
                smt(768, 48), topology.nodes().stream().map(MemoryNode::cpus).toList());
        assertEquals(16, topology.distance(12, 15));
        assertEquals(32, topology.distance(0, 15));
        assertEquals(
                new Cpu(1535, true, 767, 1, -1, 767, 15, 15, 15, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(1535).orElseThrow());
        assertEquals(
                "720,1535",
                topology.networkInterface("ens12").orElseThrow().interruptCpus().toString());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void microVmIsTakenToBeFlat() {
        read(Machine.MICRO_VM);
        assertEquals(new MachineInfo("x86_64", "5.10.186", "Intel(R) Xeon(R) Processor"), topology.machine());
        assertEquals("0-3", text(topology.packages()));
        assertEquals("0 1 2 3", text(topology.cores()));
        assertEquals(List.of(), topology.domains(Cpu::l2));
        assertEquals(List.of(), topology.l3Domains());
        assertEquals(
                List.of(new MemoryNode(0, CpuList.parse("0-3"), 2_000 * MIB, 1_500 * MIB, List.of(10))),
                topology.nodes());
        assertEquals(
                new Cpu(3, true, 3, 0, -1, -1, -1, 0, 0, CoreKind.UNIFORM, 1024, 0, false, false),
                topology.cpu(3).orElseThrow());
        String cpus = directory.resolve("sys/devices/system/cpu").toString();
        assertEquals(
                List.of(
                        directory.resolve("sys/devices/system/node") + " shows no node: the machine is taken for one",
                        cpus + " does not show packages: all CPUs are taken for one",
                        cpus + "/cpu{0-3}/topology does not show the CPU's core: it is taken for a core of its own",
                        cpus + "/cpu{0-3}/cache is missing: which CPUs share caches is unknown"),
                topology.notes());
    }

    @Test
    void interruptsOfADeviceWithoutPciAreKnownByName() {
        read(Machine.MICRO_VM);
        assertEquals(
                new NetworkInterface(
                        "eth0",
                        "virtio1",
                        -1,
                        List.of(new Interrupt(7, "virtio1", CpuList.parse("0-3"), CpuList.of(2))),
                        true),
                topology.networkInterface("eth0").orElseThrow());
    }

    @Test
    void cloudVmHasItsCardsNodeAndInterruptsAboveItsVirtioDevice() {
        read(Machine.CLOUD_VM);
        assertEquals(new MachineInfo("x86_64", "6.18.44", "AMD EPYC"), topology.machine());
        assertEquals("0-1", text(topology.packages()));
        assertEquals("0 1", text(topology.cores()));
        assertEquals("0 1", text(topology.domains(Cpu::l2)));
        assertEquals("0-1", text(topology.l3Domains()));
        assertEquals("", text(topology.domains(Cpu::cluster)));
        assertEquals("0: 0-1", nodes());
        NetworkInterface card = topology.networkInterface("eth0").orElseThrow();
        assertEquals("0000:00:03.0", card.device());
        assertEquals(-1, card.node());
        assertEquals(
                List.of(37, 38, 39),
                card.interrupts().stream().map(Interrupt::irq).toList());
        assertEquals("0-1", card.interruptCpus().toString());
        assertEquals(
                new NetworkInterface("lo", "", -1, List.of(), true),
                topology.networkInterface("lo").orElseThrow());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void thisMachineIsSeen() {
        Topology here = new TopologyReader().read();
        assertTrue(here.online().size() >= Runtime.getRuntime().availableProcessors(), here.toString());
        assertEquals(here.online(), union(here.cores()));
        assertEquals(here.online(), union(here.packages()));
        assertEquals(
                here.online(), union(here.nodes().stream().map(MemoryNode::cpus).toList()));
        assertTrue(here.networkInterface("lo").isPresent(), here.toString());
        assertFalse(here.machine().kernelRelease().isEmpty());
        assertEquals(System.getProperty("os.version"), here.machine().kernelRelease());
        assertEquals(here.present().size(), here.cpus().size());
    }

    private static CpuList union(List<CpuList> lists) {
        return lists.stream().reduce(CpuList.of(), CpuList::union);
    }

    private static String text(List<CpuList> lists) {
        return lists.stream().map(CpuList::toString).collect(Collectors.joining(" "));
    }

    private String nodes() {
        return topology.nodes().stream()
                .map(node -> node.id() + ": " + node.cpus())
                .collect(Collectors.joining(" "));
    }

    /** The CPUs of each kind, capacity and so on. */
    private <K> Map<K, String> by(Function<Cpu, K> key) {
        Map<K, String> cpus = new TreeMap<>();
        topology.cpus().stream()
                .collect(Collectors.groupingBy(key, Collectors.mapping(Cpu::id, Collectors.toList())))
                .forEach((value, ids) -> cpus.put(
                        value,
                        CpuList.of(ids.stream().mapToInt(Integer::intValue).toArray())
                                .toString()));
        return cpus;
    }
}
