package org.cabrank.pinning.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.MachineSnapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every finding both ways. */
@Tag("once")
final class DoctorTest {
    private static final JvmFacts GOOD_JVM = new JvmFacts(25, "Z", 1L << 30, true, true, true, true);
    private static final RingTrial RING = new RingTrial(RingTrial.Outcome.MADE, "iouring, panama");

    @TempDir(factory = InMemory.class)
    private Path directory;

    private MachineFixture machine;
    private String placement;
    private int shards = 1;
    private int threads = 1;
    private double quota = ProcessLimits.NO_QUOTA;
    private JvmFacts jvm = GOOD_JVM;
    private RingTrial ring = RING;
    private List<String> notes = List.of();

    @BeforeEach
    void aServerOfTwoSockets() {
        machine = Machine.CXL_MEMORY.in(directory);
    }

    private List<Finding> examine() {
        Topology topology = machine.topology();
        CpuList usable = topology.online();
        ProcessLimits limits = new ProcessLimits(
                usable, CpuList.of(), CpuList.of(), quota, usable.size(), usable, CpuList.of(), CpuList.of(), notes);
        return Doctor.examine(new CheckContext(
                new MachineSnapshot(topology, limits),
                plan(topology, limits),
                machine.sysfs(),
                machine.procfs(),
                jvm,
                ring));
    }

    private PlacementPlan plan(Topology topology, ProcessLimits limits) {
        try {
            return placement == null ? null : Placement.parse(placement).plan(topology, limits, shards, threads, false);
        } catch (PlacementException refused) {
            throw new AssertionError(refused);
        }
    }

    private Finding find(String id) {
        return examine().stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing was found out about " + id));
    }

    private void finds(Severity severity, String id, String... words) {
        Finding finding = find(id);
        assertEquals(severity, finding.severity(), finding.toString());
        for (String word : words) {
            assertTrue((finding.finding() + finding.remedy()).contains(word), finding.toString());
        }
        assertEquals(severity == Severity.OK, finding.remedy().isEmpty(), finding.toString());
    }

    /** A check that cannot look must not be green. */
    @Test
    void checksWhoseFilesAreMissingKnowNothing() {
        placement = "cores";
        machine.delete("proc/irq");
        notes = List.of("the process is in the cgroup /a of version 2, which is not mounted: whether cgroups limit the"
                + " process is unknown");
        finds(Severity.UNKNOWN, "cpu-quota", "whether it has a quota is unknown");
        for (String id : List.of("interrupts", "numa-balancing", "clocksource", "huge-pages")) {
            finds(Severity.UNKNOWN, id, Check.LOOK_ON_THE_HOST);
        }
    }

    @Test
    void aRingThatCanBeMadeIsDescribed() {
        finds(Severity.OK, "io-uring", "iouring, panama");
    }

    @Test
    void refusedRingBecomesAFindingWithARemedy() {
        ring = new RingTrial(
                RingTrial.Outcome.REFUSED,
                "io_uring: a seccomp filter forbids it; run with a profile that allows it (io_uring_setup: EPERM)");
        finds(Severity.WARNING, "io-uring");
        Finding finding = find("io-uring");
        assertEquals("a seccomp filter forbids it", finding.finding());
        assertEquals("run with a profile that allows it (io_uring_setup: EPERM)", finding.remedy());
    }

    @Test
    void ofAMachineThatIsNotHereTheSysctlTells() {
        ring = RingTrial.NONE;
        finds(Severity.NOTE, "io-uring", "not tried");
        machine.write("proc/sys/kernel/io_uring_disabled", "2");
        finds(Severity.WARNING, "io-uring", "forbids it to every process", "sysctl -w kernel.io_uring_disabled=0");
        machine.write("proc/sys/kernel/io_uring_disabled", "1");
        finds(Severity.WARNING, "io-uring", "forbids it to unprivileged processes");
        machine.write("proc/sys/kernel/io_uring_disabled", "0");
        finds(Severity.OK, "io-uring", "allows it");
    }

    @Test
    void aKernelIsJudgedByWhatItLacks() {
        machine.write("proc/sys/kernel/osrelease", "6.18.1");
        finds(Severity.OK, "kernel", "6.18.1 has everything");
        machine.write("proc/sys/kernel/osrelease", "6.12.9-amd64");
        finds(Severity.NOTE, "kernel", "waking a ring without a ring (6.13)");
        machine.write("proc/sys/kernel/osrelease", "5.10.0-216.oe2203.aarch64");
        finds(Severity.WARNING, "kernel", "epoll waits in nanoseconds", "owner rings", "at least 6.1");
        machine.write("proc/sys/kernel/osrelease", "unheard of");
        finds(Severity.NOTE, "kernel", "not known");
    }

    private void limits(String memlock, String nofileHard) {
        machine.write(
                "proc/self/limits",
                String.format(
                        "%-26s%-21s%-21s%s%n%-26s%-21s%-21s%s%n%-26s%-21s%-21s%s",
                        "Limit",
                        "Soft Limit",
                        "Hard Limit",
                        "Units",
                        "Max open files",
                        "1024",
                        nofileHard,
                        "files",
                        "Max locked memory",
                        memlock,
                        memlock,
                        "bytes"));
    }

    @Test
    void lockedMemoryMayBeLittleAmpleOrUnlimited() {
        limits("65536", "1048576");
        finds(Severity.NOTE, "memlock", "64 KiB", "ulimit -l unlimited");
        limits("67108864", "1048576");
        finds(Severity.OK, "memlock", "64 MiB may be locked");
        limits("unlimited", "1048576");
        finds(Severity.OK, "memlock", "unlimited");
        machine.delete("proc/self/limits");
        finds(Severity.NOTE, "memlock", "not known");
    }

    @Test
    void descriptorsAreCountedByTheHardLimit() {
        limits("unlimited", "4096");
        finds(Severity.WARNING, "nofile", "4,096 at most", "LimitNOFILE=1048576");
        limits("unlimited", "1048576");
        finds(Severity.OK, "nofile", "1,048,576");
        limits("unlimited", "unlimited");
        finds(Severity.OK, "nofile", "unlimited");
        machine.write("proc/self/limits", "Max open files            many                 more                 files");
        finds(Severity.NOTE, "nofile", "not known");
    }

    @Test
    void aQuotaBelowTheCpusStopsEverybodyForAWhile() {
        finds(Severity.OK, "cpu-quota", "none");
        quota = 2.5;
        finds(Severity.WARNING, "cpu-quota", "2.50 CPUs", "may run on 32", "--shards times --threads-per-shard");
        placement = "cores";
        finds(Severity.WARNING, "cpu-quota", "--shards 2 --threads-per-shard 1");
        placement = null;
        quota = 32;
        finds(Severity.OK, "cpu-quota", "as many as it may run on");
    }

    @Test
    void aQuotaIsDividedByTheThreadsOfAShard() {
        quota = 6;
        placement = "pack";
        threads = 2;
        finds(Severity.WARNING, "cpu-quota", "--shards 3 --threads-per-shard 2");
        threads = 8;
        finds(Severity.WARNING, "cpu-quota", "--shards 1 --threads-per-shard 6");
        // Threads that take turns on one CPU keep only that CPU busy.
        placement = "cores";
        finds(Severity.WARNING, "cpu-quota", "--shards 6 --threads-per-shard 8");
    }

    @Test
    void shardsThatExceedAQuotaAreWhereTheyWereMeantToBe() {
        quota = 4;
        placement = "pack";
        shards = 2;
        threads = 4;
        finds(Severity.WARNING, "placement", "may keep 8 CPUs busy");
        shards = 8;
        threads = 1;
        finds(Severity.WARNING, "placement", "8 shards can keep as many CPUs busy");
    }

    @Test
    void shardsOnOneCoreAreInEachOthersWay() {
        finds(Severity.NOTE, "smt", "--placement cores");
        placement = "0,16";
        shards = 2;
        finds(Severity.WARNING, "smt", "CPU 0,16 of the plan share cores");
        placement = "cores";
        finds(Severity.OK, "smt", "no two hardware threads");
        machine = Machine.CLOUD_VM.in(directory.resolve("vm"));
        placement = null;
        finds(Severity.OK, "smt", "one hardware thread");
    }

    @Test
    void isolatedCpusAreThereToBeUsed() {
        finds(Severity.NOTE, "isolation", "there are none", "isolcpus=");
        machine.write("sys/devices/system/cpu/isolated", "6-7");
        placement = "cores";
        finds(Severity.NOTE, "isolation", "CPU 6-7 are isolated, but shards run on 0", "--placement isolated");
        placement = "isolated";
        finds(Severity.NOTE, "isolation", "have the timer tick", "nohz_full=6");
        machine.write("sys/devices/system/cpu/nohz_full", "6-7");
        finds(Severity.OK, "isolation", "without the timer tick: 6");
    }

    @Test
    void aGovernorThatSavesPowerIsNamedWithItsCpus() {
        finds(Severity.OK, "governor", "does not scale");
        IntStream.range(0, 32)
                .forEach(cpu -> machine.write(
                        "sys/devices/system/cpu/cpu" + cpu + "/cpufreq/scaling_governor",
                        cpu < 4 ? "performance" : "powersave"));
        finds(
                Severity.WARNING,
                "governor",
                "performance on CPU 0-3; powersave on CPU 4-31",
                "cpupower -c 4-31 frequency-set -g performance");
        placement = "0-3";
        shards = 4;
        finds(Severity.OK, "governor", "performance");
    }

    private void interrupt(int irq, String cpus, long count, String name) {
        machine.write("proc/irq/" + irq + "/effective_affinity_list", cpus);
        String before = machine.procfs().resolve("interrupts").toFile().exists() ? read() + "\n" : "   CPU0   CPU1\n";
        machine.write("proc/interrupts", before + " " + irq + ":   " + count + "   0   PCI-MSIX 1-edge   " + name);
    }

    private String read() {
        return new FileTree(machine.procfs(), new Notes()).text("interrupts").orElseThrow();
    }

    @Test
    void interruptsOnCpusOfShardsAreNamed() {
        finds(Severity.UNKNOWN, "interrupts", "not examined", "--placement cores");
        placement = "0-1";
        shards = 2;
        finds(Severity.OK, "interrupts", "no device interrupts CPU 0-1");
        interrupt(40, "5", 1_000, "eth0-TxRx-0");
        interrupt(41, "1", 0, "never-used");
        finds(Severity.OK, "interrupts", "no device interrupts CPU 0-1");
        interrupt(42, "1", 7, "eth0-TxRx-1");
        finds(
                Severity.WARNING,
                "interrupts",
                "42 (eth0-TxRx-1) on CPU 1",
                "for i in 42; do echo 2-7,18-23 > /proc/irq/$i/smp_affinity_list");
        placement = "0-31";
        shards = 32;
        finds(Severity.WARNING, "interrupts", "leave a CPU of node 0 to the devices");
        placement = "0-7,16-23";
        finds(Severity.WARNING, "interrupts", "leave a CPU of node 0 to the devices");
        placement = "0-7";
        shards = 8;
        finds(Severity.WARNING, "interrupts", "for i in 40 42; do echo 16-23 > /proc");
        interrupt(90, "2", 9, "eno1-TxRx-0");
        interrupt(95, "8", 9, "mlx5_comp0@pci:0000:81:00.0");
        placement = "1-2,8";
        shards = 3;
        finds(
                Severity.WARNING,
                "interrupts",
                "for i in 42 90; do echo 0,3-7,16,19-23 > /proc",
                "for i in 95; do echo 9-15,25-31 > /proc");
    }

    @Test
    void hugePagesAreForThoseWhoAsk() {
        String file = "sys/kernel/mm/transparent_hugepage/enabled";
        finds(Severity.UNKNOWN, "huge-pages", "does not tell");
        machine.write(file, "[always] madvise never");
        finds(Severity.WARNING, "huge-pages", "always", "echo madvise > /sys/kernel/mm");
        machine.write(file, "always [madvise] never");
        finds(Severity.OK, "huge-pages", "as this JVM does");
        machine.write(file, "always madvise [never]");
        finds(Severity.NOTE, "huge-pages", "never");
    }

    @Test
    void balancingMattersWhereThereAreSeveralNodes() {
        finds(Severity.UNKNOWN, "numa-balancing", "does not tell");
        machine.write("proc/sys/kernel/numa_balancing", "0");
        finds(Severity.OK, "numa-balancing", "off");
        machine.write("proc/sys/kernel/numa_balancing", "1");
        finds(Severity.WARNING, "numa-balancing", "sysctl -w kernel.numa_balancing=0");
        machine = Machine.CLOUD_VM.in(directory.resolve("vm"));
        machine.write("proc/sys/kernel/numa_balancing", "1");
        finds(Severity.OK, "numa-balancing", "one node");
    }

    @Test
    void aJvmWithoutPanamaCallsThroughJna() {
        finds(Severity.OK, "jdk", "25", "Panama");
        finds(Severity.OK, "native-access", "allowed");
        jvm = new JvmFacts(17, "Z", 1L << 30, true, true, true, false);
        finds(Severity.WARNING, "jdk", "17", "JNA", "22 or later");
        finds(Severity.OK, "native-access", "does not ask");
        jvm = new JvmFacts(25, "Z", 1L << 30, true, true, true, false);
        finds(Severity.NOTE, "native-access", "--enable-native-access=ALL-UNNAMED");
    }

    @ParameterizedTest
    @CsvSource({"Z, OK", "Shenandoah, OK", "Epsilon, OK", "G1, NOTE", "Serial, WARNING", "Parallel, WARNING", "'', NOTE"
    })
    void aCollectorIsJudgedByItsPauses(String collector, Severity severity) {
        jvm = new JvmFacts(25, collector, 1L << 30, true, true, true, true);
        finds(severity, "collector", collector);
    }

    @Test
    void theHeapHasPagesNodesAndASize() {
        finds(Severity.OK, "pretouch");
        finds(Severity.OK, "jvm-numa", "UseNUMA");
        finds(Severity.OK, "heap", "up to 1.0 GiB");
        jvm = new JvmFacts(25, "Z", 300L << 30, false, false, true, true);
        finds(Severity.NOTE, "pretouch", "-XX:+AlwaysPreTouch");
        finds(Severity.WARNING, "jvm-numa", "the 2 nodes", "-XX:+UseNUMA");
        finds(Severity.NOTE, "heap", "up to 300.0 GiB, and a node has 125.0 GiB", "numactl");
        machine = Machine.CLOUD_VM.in(directory.resolve("vm"));
        finds(Severity.OK, "jvm-numa", "one node");
        finds(Severity.OK, "heap", "up to 300.0 GiB");
    }

    @Test
    void aPlacementThatCannotBeHadIsAProblem() {
        finds(Severity.OK, "placement", "nothing is pinned");
        placement = "cores";
        finds(Severity.OK, "placement", "cores: 1 shard");
        shards = 17;
        finds(Severity.PROBLEM, "placement", "17 shards but only 16 cores", "cabrank topology --placement cores");
    }

    @Test
    void theGravestComesFirst() {
        placement = "cores";
        shards = 17;
        List<Finding> findings = examine();
        assertEquals("placement", findings.get(0).id());
        assertEquals(
                findings.stream().map(Finding::severity).sorted().toList(),
                findings.stream().map(Finding::severity).toList());
        assertEquals(
                findings.size(), findings.stream().map(Finding::id).distinct().count());
    }

    /** In a soak all machines; otherwise all but the machine of 1,536 CPUs, which takes seconds to describe. */
    static Stream<Machine> machines() {
        boolean soak = Long.getLong("cabrank.soak.seconds") != null;
        return Stream.of(Machine.values()).filter(kind -> soak || kind != Machine.CPUS_1536);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyMachineCanBeExamined(Machine kind) {
        machine = kind.in(directory.resolve("another"));
        ring = RingTrial.NONE;
        placement = "spread";
        assertEquals(28, examine().size());
    }
}
