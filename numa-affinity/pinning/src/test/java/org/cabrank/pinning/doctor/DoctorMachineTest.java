package org.cabrank.pinning.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.cabrank.affinity.fixture.DescribedMachine;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.fixture.MachineText;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.kernel.Kernels;
import org.cabrank.pinning.MachineSnapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings about the machine and the cgroup of a server of two nodes, of which the second one has no memory. */
@Tag("once")
final class DoctorMachineTest {
    private static final String DESCRIPTION = """
            model    AMD EPYC 7302P 16-Core Processor
            cpus     0-15
            cores    0-7/1+8
            l2       0-7/1+8
            l3       0-3/4+8 4-7/4+8
            node     0 0-3,8-11 64000 10 20
            node     1 4-7,12-15 0 20 10
            process  0-15 0-1 /services/cabrank
            """;

    private static final String CGROUP = "sys/fs/cgroup/services/";
    private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/";

    @TempDir(factory = InMemory.class)
    private Path directory;

    private MachineFixture machine;

    @BeforeEach
    void aServer() {
        machine = MachineText.write(DESCRIPTION, directory);
    }

    private Finding find(String id, String placement, int shards) throws Exception {
        MachineSnapshot snapshot = MachineSnapshot.read(Kernels.system(), machine.sysfs(), machine.procfs());
        List<Finding> findings = Doctor.examine(new CheckContext(
                snapshot,
                Placement.parse(placement).plan(snapshot.topology(), snapshot.limits(), shards, 1, false),
                machine.sysfs(),
                machine.procfs(),
                new JvmFacts(25, "Z", 1L << 30, true, true, true, true),
                RingTrial.NONE));
        return findings.stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void finds(Severity severity, String id, String placement, int shards, String... words) throws Exception {
        Finding finding = find(id, placement, shards);
        assertEquals(severity, finding.severity(), finding.toString());
        for (String word : words) {
            assertTrue((finding.finding() + " " + finding.remedy()).contains(word), finding.toString());
        }
        assertEquals(severity == Severity.OK, finding.remedy().isEmpty(), finding.toString());
    }

    @Test
    void shardsOnANodeWithoutMemoryAreNamed() throws Exception {
        finds(Severity.OK, "memory-nodes", "cores", 4);
        finds(
                Severity.WARNING,
                "memory-nodes",
                "cores",
                6,
                "CPU 4-5 is on node 1, which has no memory",
                "--placement 0-3,8-11, or --placement spread");
        machine.write("proc/self/status", "Cpus_allowed_list:\t0-15\nMems_allowed_list:\t1");
        finds(Severity.WARNING, "memory-nodes", "cores", 2, "CPU 0-1 is on node 0, which cpuset.mems leaves out");
    }

    @Test
    void aGroupThatWasStoppedIsCounted() throws Exception {
        finds(Severity.OK, "cpu-throttling", "cores", 1, "no cgroup counts it");
        machine.write(CGROUP + "cabrank/cpu.stat", "usage_usec 5000\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0");
        finds(Severity.OK, "cpu-throttling", "cores", 1, "no cgroup of this process has been stopped");
        machine.write(CGROUP + "cpu.stat", "nr_periods 40000\nnr_throttled 1200\nthrottled_usec 34500000");
        finds(
                Severity.WARNING,
                "cpu-throttling",
                "cores",
                1,
                "stopped in 1,200 of 40,000 periods, for 34.5 s",
                "cpu.max");
        machine.write(CGROUP + "cpu.stat", "nr_periods 40000\nnr_throttled 2\nthrottled_usec 5000");
        finds(Severity.NOTE, "cpu-throttling", "cores", 1, "2 of 40,000 periods", "fewer busy threads, a");
        machine.write(CGROUP + "cpu.max", "200000 100000");
        finds(Severity.NOTE, "cpu-throttling", "cores", 1, "fewer busy threads (2 at most), a");
        machine.delete(CGROUP + "cpu.stat")
                .write("proc/self/cgroup", "3:cpu,cpuacct:/pod/one")
                .write(
                        "proc/self/mountinfo",
                        "31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct")
                .write(
                        "sys/fs/cgroup/cpu,cpuacct/pod/cpu.stat",
                        "nr_periods 10\nnr_throttled 5\nthrottled_time 200000000");
        finds(Severity.WARNING, "cpu-throttling", "cores", 1, "5 of 10 periods, for 0.2 s");
    }

    @Test
    void aPartitionThatIsInvalidIsReported() throws Exception {
        finds(Severity.OK, "cpuset-partition", "cores", 1, "in none");
        machine.write(CGROUP + "cabrank/cpuset.cpus.partition", "isolated");
        finds(Severity.OK, "cpuset-partition", "cores", 1, "isolated: the scheduler moves no thread");
        machine.write(
                CGROUP + "cabrank/cpuset.cpus.partition", "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
        finds(
                Severity.WARNING,
                "cpuset-partition",
                "cores",
                1,
                "not exclusive",
                "echo isolated > cpuset.cpus.partition");
    }

    @Test
    void aClockThatIsSlowToReadIsNamedWithAFasterOne() throws Exception {
        finds(Severity.UNKNOWN, "clocksource", "cores", 1, "does not tell");
        machine.write(CLOCK + "current_clocksource", "hpet").write(CLOCK + "available_clocksource", "tsc hpet acpi_pm");
        finds(Severity.WARNING, "clocksource", "cores", 1, "hpet", "echo tsc > /sys/devices/system/clocksource");
        machine.write(CLOCK + "available_clocksource", "hpet acpi_pm");
        finds(Severity.WARNING, "clocksource", "cores", 1, "dmesg", "tsc=reliable");
        machine.write(CLOCK + "current_clocksource", "tsc");
        finds(Severity.OK, "clocksource", "cores", 1, "tsc");
    }

    @Test
    void aDeepIdleStateIsNamedUntilItIsForbidden() throws Exception {
        finds(Severity.OK, "idle-states", "cores", 1);
        String idle = "sys/devices/system/cpu/cpu0/cpuidle/state";
        machine.write(idle + "1/latency", 2).write(idle + "1/name", "C1").write(idle + "1/disable", 0);
        finds(Severity.OK, "idle-states", "cores", 1);
        machine.write(idle + "2/latency", 133).write(idle + "2/name", "C6").write(idle + "2/disable", 0);
        finds(
                Severity.NOTE,
                "idle-states",
                "cores",
                1,
                "CPU 0 may sleep as deep as C6",
                "133 us",
                "hold /dev/cpu_dma_latency open while the service runs");
        machine.write("sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", 20);
        finds(Severity.OK, "idle-states", "cores", 1);
        machine.write("sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", "n/a");
        finds(Severity.OK, "idle-states", "cores", 1);
        machine.write("sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", 0)
                .write(idle + "2/disable", 1);
        finds(Severity.OK, "idle-states", "cores", 1);
    }

    private void interrupt(int irq, String device, String permissions) throws IOException {
        machine.write("proc/irq/" + irq + "/effective_affinity_list", 1).write("proc/irq/" + irq + "/smp_affinity", 2);
        Files.setPosixFilePermissions(
                machine.procfs().resolve("irq/" + irq + "/smp_affinity"), PosixFilePermissions.fromString(permissions));
        Path interrupts = machine.procfs().resolve("interrupts");
        String before = Files.exists(interrupts) ? Files.readString(interrupts) : "           CPU0       CPU1\n";
        Files.writeString(interrupts, before + " " + irq + ":   7   0   PCI-MSIX 1-edge   " + device + "\n");
    }

    @Test
    void interruptWhoseAffinityIsReadOnlyIsNotToBeMoved() throws Exception {
        finds(Severity.UNKNOWN, "managed-interrupts", "0-1", 2, "/proc/irq is missing");
        interrupt(40, "eth0-rx-0", "rw-r--r--");
        finds(Severity.OK, "managed-interrupts", "0-1", 2, "none on CPU 0-1");
        interrupt(41, "nvme0q2", "r--r--r--");
        finds(
                Severity.NOTE,
                "managed-interrupts",
                "0-1",
                2,
                "41 (nvme0q2) on CPU 1 (its smp_affinity is read-only)",
                "isolcpus=managed_irq,domain,1");
        finds(Severity.WARNING, "interrupts", "0-1", 2, "40 (eth0-rx-0) on CPU 1 for i in 40; do echo 2-3,10-11 >");
    }

    @Test
    void debugfsTellsManagedInterruptsOnOlderKernels() throws Exception {
        interrupt(40, "mpi3mr0-msix1", "rw-r--r--");
        machine.write("sys/kernel/debug/irq/irqs/40", "handler:  handle_edge_irq\ndstate:   0x37409200");
        finds(Severity.OK, "managed-interrupts", "1", 1);
        machine.write(
                "sys/kernel/debug/irq/irqs/40", "dstate:   0x37609200\n            IRQD_AFFINITY_MANAGED\nnode:     0");
        finds(Severity.NOTE, "managed-interrupts", "1", 1, "40 (mpi3mr0-msix1) on CPU 1 (according to debugfs)");
        finds(Severity.OK, "interrupts", "1", 1, "no device interrupts CPU 1 with an interrupt that can be moved");
    }

    @ParameterizedTest
    @CsvSource({"nvme0q1, NOTE", "virtio1-req.0, NOTE", "nvme0q0, OK", "virtio1-config, OK", "virtio0-input.0, OK"})
    void queuesOfDisksAreTakenForManagedWhereNothingTells(String device, Severity severity) throws Exception {
        interrupt(40, device, "rw-r--r--");
        String[] words = severity == Severity.OK ? new String[0] : new String[] {"by its name, since this kernel"};
        finds(severity, "managed-interrupts", "1", 1, words);
    }

    @Test
    void coresOfSeveralKindsAreCounted() throws Exception {
        finds(Severity.OK, "core-kinds", "cores", 1, "all cores are alike");
        machine = DescribedMachine.METEOR_LAKE.in(directory.resolve("hybrid"));
        String kinds = "6 performance cores (CPU 0-11), 8 efficiency cores (CPU 12-19), 2 low-power cores (CPU 20-21)";
        finds(Severity.OK, "core-kinds", "cores", 6, kinds, "shards run on performance cores alone");
        finds(Severity.NOTE, "core-kinds", "none", 1, kinds, "--placement cores:performance");
        finds(Severity.NOTE, "core-kinds", "20", 1, kinds, "shards run on CPU 20 of low-power cores");
        finds(
                Severity.WARNING,
                "core-kinds",
                "cores",
                8,
                kinds,
                "CPU 0,2,4,6,8,10 of performance cores, CPU 12-13 of efficiency cores",
                "--placement cores:performance");
    }

    @Test
    void preferenceForSavingEnergyIsNamedWithItsCpus() throws Exception {
        finds(Severity.OK, "energy-preference", "0-3", 4, "this machine has none");
        String cpu = "sys/devices/system/cpu/cpu";
        String preference = "/cpufreq/energy_performance_preference";
        machine.write(cpu + 0 + preference, "performance").write(cpu + 1 + preference, "0");
        finds(Severity.OK, "energy-preference", "0-3", 4, "0 on CPU 1; performance on CPU 0");
        machine.write(cpu + 2 + preference, "balance_performance").write(cpu + 3 + preference, "64");
        finds(
                Severity.NOTE,
                "energy-preference",
                "0-3",
                4,
                "64 on CPU 3; balance_performance on CPU 2; performance on CPU 0",
                "for c in $(seq 2 3); do echo performance > /sys/devices/system/cpu/cpu$c/cpufreq/energy_performance_p");
        machine.write(cpu + 2 + preference, "power");
        finds(Severity.WARNING, "energy-preference", "0-3", 4, "power on CPU 2");
    }

    @Test
    void biasIsLookedAtWhereThereIsNoPreference() throws Exception {
        String bias = "/power/energy_perf_bias";
        String cpu = "sys/devices/system/cpu/cpu";
        machine.write(cpu + 0 + bias, 0);
        finds(Severity.OK, "energy-preference", "0-1", 2, "energy_perf_bias 0 on CPU 0");
        machine.write(cpu + 1 + bias, 6);
        finds(Severity.NOTE, "energy-preference", "0-1", 2, "6 on CPU 1", "cpupower -c 1 set --perf-bias 0");
        machine.write(cpu + 1 + bias, 15);
        finds(Severity.WARNING, "energy-preference", "0-1", 2, "15 on CPU 1");
        machine.write(cpu + 1 + "/cpufreq/energy_performance_preference", "performance");
        finds(Severity.OK, "energy-preference", "0-1", 2, "performance on CPU 1; energy_perf_bias 0 on CPU 0");
    }

    @Test
    void packetsThatAreSteeredToShardsAreReported() throws Exception {
        String queues = "sys/class/net/eth0/queues/";
        machine.write("sys/devices/pci0000:00/0000:00:03.0/numa_node", 0)
                .write("sys/devices/pci0000:00/0000:00:03.0/net/eth0/operstate", "up")
                .link("sys/devices/pci0000:00/0000:00:03.0/net/eth0/device", "sys/devices/pci0000:00/0000:00:03.0")
                .link("sys/class/net/eth0", "sys/devices/pci0000:00/0000:00:03.0/net/eth0")
                .write(queues + "rx-0/rps_cpus", "0000")
                .write(queues + "tx-0/xps_cpus", "0000");
        finds(Severity.OK, "packet-steering", "0", 1);
        finds(
                Severity.NOTE,
                "packet-steering",
                "0-1",
                2,
                "eth0 has one receive queue",
                "ethtool -L eth0 combined 2",
                "echo fffc > $q/rps_cpus");
        machine.write(queues + "rx-0/rps_cpus", "000f");
        finds(
                Severity.NOTE,
                "packet-steering",
                "0-1",
                2,
                "RPS of eth0 hands packets to CPU 0-1",
                "echo c > $q/rps_cpus");
        machine.write(queues + "rx-0/rps_cpus", "0000")
                .write(queues + "rx-1/rps_cpus", "0000")
                .write(queues + "tx-0/xps_cpus", "0001");
        finds(Severity.NOTE, "packet-steering", "0-1", 2, "for CPU 0 and not for CPU 1", "add CPU 1 to xps_cpus");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[always] madvise never", "always [madvise] never"})
    void compactionInPageFaultsIsReportedWhereThereAreHugePages(String enabled) throws Exception {
        String pages = "sys/kernel/mm/transparent_hugepage/";
        machine.write(pages + "enabled", enabled).write(pages + "defrag", "[always] defer defer+madvise madvise never");
        finds(Severity.WARNING, "huge-pages-defrag", "cores", 1, "echo defer+madvise > /sys/kernel/mm");
        machine.write(pages + "defrag", "always defer [defer+madvise] madvise never");
        finds(Severity.OK, "huge-pages-defrag", "cores", 1, "defer+madvise");
        machine.write(pages + "defrag", "[always] defer defer+madvise madvise never")
                .write(pages + "enabled", "always madvise [never]");
        finds(Severity.OK, "huge-pages-defrag", "cores", 1);
    }
}
