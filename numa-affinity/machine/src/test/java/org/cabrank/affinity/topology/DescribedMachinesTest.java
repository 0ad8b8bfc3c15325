package org.cabrank.affinity.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.DescribedMachine;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.fixture.MachineText;
import org.cabrank.affinity.limits.ProcessLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines described by short texts, as the topology shows them. */
class DescribedMachinesTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private Topology read(DescribedMachine machine) {
        return machine.in(directory).topology();
    }

    private static String text(List<CpuList> domains) {
        return domains.stream().map(CpuList::toString).collect(Collectors.joining(" "));
    }

    @Test
    void groupsMaySkipCpusAndNameSiblings() {
        Topology topology = MachineText.write("""
                        kernel 5.14.0-503.el9.x86_64 x86_64
                        cpus  0-7,16 0-7
                        packages 0-1/2+4 2-3/2+4
                        cores 0-3/1+4
                        l3    0-7
                        node  0 0-1,4-5 1000
                        node  2 2-3,6-7 1000
                        nic   eth0 2 2-3 6
                        """, directory).topology();
        assertEquals("0-7", topology.online().toString());
        assertEquals("0,4 1,5 2,6 3,7", text(topology.cores()));
        assertEquals("0-1,4-5 2-3,6-7", text(topology.packages()));
        assertEquals("0-7", text(topology.l3Domains()));
        assertEquals(20, topology.distance(0, 2));
        NetworkInterface card = topology.networkInterface("eth0").orElseThrow();
        assertEquals(2, card.node());
        assertEquals("2,6", card.interruptCpus().toString());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void lineThatBeginsWithAnUnknownWordIsRefused() {
        String text = "cpus 0\ncashes 0\n";
        IllegalArgumentException wrong =
                assertThrows(IllegalArgumentException.class, () -> MachineText.write(text, directory));
        assertTrue(wrong.getMessage().contains("cashes"), wrong.getMessage());
    }

    @Test
    void meteorLakeHasEfficiencyCoresWithoutL3() {
        Topology topology = read(DescribedMachine.METEOR_LAKE);
        assertEquals("0-19", text(topology.l3Domains()));
        assertEquals("12-15 16-19 20-21", text(topology.domains(Cpu::cluster)));
        assertEquals(CoreKind.EFFICIENCY, topology.cpu(19).orElseThrow().kind());
        assertEquals(CoreKind.LOW_POWER, topology.cpu(20).orElseThrow().kind());
        assertEquals(List.of(), topology.notes());
    }

    @Test
    void coresThatBoostALittleHigherAreOfOneKind() {
        Topology topology = MachineText.write("""
                        cpus 0-3
                        each cpufreq/cpuinfo_max_freq 0=5700000 1=5300000 2=4900000 3=4500000
                        each acpi_cppc/highest_perf 0=236 1=216 2=196 3=166
                        """, directory).topology();
        assertEquals(false, topology.hybrid());
    }

    @Test
    void kindsShowInCoreClustersWhereNothingElseTells() {
        Topology topology = MachineText.write("""
                        cpus  0-7
                        cores 0-3/2 4-7/1
                        l2    0-3/2 4-7
                        """, directory).topology();
        assertEquals(CoreKind.PERFORMANCE, topology.cpu(3).orElseThrow().kind());
        assertEquals(CoreKind.EFFICIENCY, topology.cpu(4).orElseThrow().kind());
    }

    @Test
    void maskOutranksOnlineFileOfLxcfs() {
        MachineFixture machine = DescribedMachine.LXCFS_CONTAINER.in(directory);
        Topology topology = machine.topology();
        assertEquals("0-15", topology.online().toString());
        assertEquals("8-11", topology.l3Domains().get(2).toString());
        assertEquals(1, topology.notes().size(), topology.notes().toString());
        assertTrue(
                topology.notes().get(0).contains("leaves out CPU 8-11"),
                topology.notes().toString());
        ProcessLimits limits = machine.limits();
        assertEquals("8-11", limits.affinityMask().toString());
        assertEquals("8-11", limits.usable().toString());
        assertEquals(2, limits.quotaCpus());
        assertEquals(
                "the cpuset cgroup leaves CPU 0-7,12-15 out", limits.notes().get(0));
    }

    @Test
    void maskOutranksOnlineFileWhereNoDirectoryTellsOfTheCpus() {
        MachineFixture machine = MachineText.write("cpus 0-1\nl3 0-1\nprocess 8-11 0\n", directory);
        assertEquals("0-1,8-11", machine.topology().online().toString());
        assertEquals("8-11", machine.limits().usable().toString());
    }

    @Test
    void maskDoesNotBringOfflineCpusBack() {
        MachineFixture machine =
                MachineText.write("cpus 0-7 0-5\nl3 0-7\nnode 0 0-7 1000\nprocess 0-127 0\n", directory);
        assertEquals("0-5", machine.topology().online().toString());
        assertEquals(List.of(), machine.topology().notes());
        assertEquals("0-5", machine.limits().usable().toString());
    }

    @Test
    void maskOfTheKernelIsOnline() {
        MachineFixture machine = MachineText.write("cpus 0-3\nprocess 2-5 0\n", directory);
        assertEquals("0-3", machine.topology().online().toString());
        TopologyReader reader = new TopologyReader(machine.sysfs(), machine.procfs());
        assertEquals("0-5", reader.read(CpuList.parse("2-5")).online().toString());
    }

    @Test
    void altraMaxHasClustersOfTwoCores() {
        Topology topology = read(DescribedMachine.ALTRA_MAX);
        assertEquals(64, topology.domains(Cpu::cluster).size());
        assertEquals("126-127", topology.domains(Cpu::cluster).get(63).toString());
        assertEquals(List.of(), topology.l3Domains());
        assertEquals(List.of(), topology.notes());
    }
}
