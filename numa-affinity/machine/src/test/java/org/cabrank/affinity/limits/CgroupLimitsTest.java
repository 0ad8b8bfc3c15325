package org.cabrank.affinity.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.fixture.CgroupFixture;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes on a machine of 16 CPUs that is not here, in cgroups of both versions. */
@Tag("newest") // on an older JDK in a soak only
class CgroupLimitsTest {
    @TempDir(factory = InMemory.class)
    Path directory;

    private MachineFixture machine;
    private CgroupFixture process;

    @BeforeEach
    void startOnALaptop() {
        machine = Machine.HYBRID_LAPTOP.in(directory);
        process = new CgroupFixture(machine).allowed("0-15", "0");
    }

    private ProcessLimits limits() {
        try {
            return new LimitsReader(Kernels.system(), machine.sysfs(), machine.procfs()).read(machine.topology());
        } catch (KernelUnavailableException e) {
            throw new AssertionError(e);
        }
    }

    private String mounted(String path) {
        return directory.resolve("sys/fs/cgroup").resolve(path).toString();
    }

    @Test
    void processWithoutLimitsMayUseAll() {
        process.version2("/user.slice").file("user.slice/cpu.max", "max 100000");
        ProcessLimits limits = limits();
        assertEquals("0-15", limits.affinityMask().toString());
        assertEquals("", limits.cpusetCpus().toString());
        assertEquals("0", limits.cpusetMems().toString());
        assertEquals(ProcessLimits.NO_QUOTA, limits.cpuQuota());
        assertFalse(limits.limitedByQuota());
        assertEquals(16, limits.busyThreads());
        assertEquals(0, limits.jvmProcessors(), "it is not this process");
        assertEquals("0-15", limits.usable().toString());
        assertEquals(List.of(), limits.notes());
    }

    @Test
    void tightestQuotaOfNestedGroupsCounts() {
        process.version2("/kubepods/pod7/c1")
                .file("kubepods/cpu.max", "800000 100000")
                .file("kubepods/pod7/cpu.max", "150000 50000")
                .file("kubepods/pod7/c1/cpu.max", "max 100000");
        ProcessLimits limits = limits();
        assertEquals(3.0, limits.cpuQuota());
        assertEquals(3, limits.quotaCpus());
        assertEquals(3, limits.busyThreads());
        assertEquals("0-15", limits.usable().toString(), "a quota is no mask");
        assertEquals(
                List.of(mounted("kubepods/pod7/cpu.max") + " grants the time of 3.00 CPUs: 150.0 ms in each 50.0 ms;"
                        + " with more than 3 busy threads all would be stopped for the rest of them"),
                limits.notes());
    }

    @Test
    void groupOfTheProcessCountsToo() {
        process.version2("/a/b").file("a/cpu.max", "400000 100000").file("a/b/cpu.max", "250000 100000");
        assertEquals(2.5, limits().cpuQuota());
        assertEquals(2, limits().quotaCpus());
    }

    @Test
    void groupWhoseNameHasLettersBeyondAsciiCounts() {
        process.version2("/gr\u00f6\u00dfe/b").file("gr\u00f6\u00dfe/cpu.max", "300000 100000");
        assertEquals(3.0, limits().cpuQuota());
    }

    @Test
    void quotaOfLessThanACpuIsExplained() {
        process.version2("/a").file("a/cpu.max", "40000 100000");
        ProcessLimits limits = limits();
        assertEquals(0.4, limits.cpuQuota());
        assertEquals(1, limits.quotaCpus());
        assertEquals(
                List.of(mounted("a/cpu.max") + " grants the time of 0.40 CPUs: 40.0 ms in each 100.0 ms;"
                        + " 1 busy thread would use that up and be stopped for 60.0 ms of them"),
                limits.notes());
    }

    @Test
    void quotaOfMoreThanTheCpusIsNoLimit() {
        process.version2("/a").file("a/cpu.max", "2000000 100000");
        ProcessLimits limits = limits();
        assertEquals(20, limits.quotaCpus());
        assertEquals(16, limits.busyThreads());
        assertTrue(
                limits.notes().get(0).endsWith("which is all that the process's CPUs have"), limits.notes()::toString);
    }

    @Test
    void cpusetOfVersion2IsThatOfTheNearestGroupThatHasOne() {
        process.version2("/a/b/c")
                .allowed("2-5", "0")
                .file("cpuset.cpus.effective", "0-15")
                .file("a/cpuset.cpus.effective", "0-7")
                .file("a/b/cpuset.cpus.effective", "2-5")
                .file("a/b/cpuset.mems.effective", "0");
        ProcessLimits limits = limits();
        assertEquals("2-5", limits.cpusetCpus().toString());
        assertEquals("0", limits.cpusetMems().toString());
        assertEquals("2-5", limits.usable().toString());
        assertEquals(List.of("the cpuset cgroup leaves CPU 0-1,6-15 out"), limits.notes());
    }

    @Test
    void emptyCpusetIsThatOfTheGroupAbove() {
        process.version2("/a/b").file("a/cpuset.cpus.effective", "0-7").file("a/b/cpuset.cpus.effective", "");
        assertEquals("0-7", limits().cpusetCpus().toString());
    }

    @Test
    void maskAndCpusetAndOnlineTogetherAreUsable() {
        machine.write("sys/devices/system/cpu/online", "0-4,6-15").write("sys/devices/system/cpu/cpu5/online", 0);
        process.version2("/a").allowed("3-6", "0").file("a/cpuset.cpus.effective", "2-5");
        ProcessLimits limits = limits();
        assertEquals("3-6", limits.affinityMask().toString());
        assertEquals("3-4", limits.usable().toString());
        assertEquals(
                List.of("the cpuset cgroup leaves CPU 0-1,6-15 out", "the affinity mask leaves CPU 2 out"),
                limits.notes());
    }

    @Test
    void cpusOfAnIsolatedPartitionAboveTheProcessAreIsolated() {
        process.version2("/a/b")
                .file("a/cpuset.cpus.effective", "4-7")
                .file("a/cpuset.cpus.partition", "isolated")
                .file("a/b/cpuset.cpus.partition", "member")
                .allowed("4-6", "0");
        assertEquals("4-6", limits().isolated().toString());
        assertTrue(
                limits().notes().stream().anyMatch(note -> note.startsWith("CPU 4-6 is an isolated partition")),
                limits().notes()::toString);
    }

    @Test
    void partitionThatIsARootOrInvalidIsNotIsolated() {
        process.version2("/a").file("a/cpuset.cpus.effective", "4-7").file("a/cpuset.cpus.partition", "root");
        assertEquals("", limits().isolated().toString());
        process.file("a/cpuset.cpus.partition", "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
        assertEquals("", limits().isolated().toString());
        assertTrue(
                limits().notes().stream().anyMatch(note -> note.contains("isolated invalid (Cpu list")),
                limits().notes()::toString);
    }

    @Test
    void isolatedCpusThatTheMaskLeavesOutAreSaidToBeThere() {
        machine.write("sys/devices/system/cpu/isolated", "12-15");
        process.version2("/").allowed("0-11", "0");
        ProcessLimits limits = limits();
        assertEquals("0-11", limits.usable().toString());
        assertEquals(
                List.of("CPU 12-15 is isolated: it is not in the affinity mask, but a thread may be pinned to it"),
                limits.notes());
    }

    @Test
    void contradictionIsReportedAndTheMaskCounts() {
        process.version2("/a").allowed("0-3", "0").file("a/cpuset.cpus.effective", "4-5");
        ProcessLimits limits = limits();
        assertEquals("0-3", limits.usable().toString());
        assertTrue(limits.notes().get(0).contains("which cannot be: the mask counts"), limits.notes()::toString);
    }

    @Test
    void groupsOfVersion1AreInAHierarchyForEachController() {
        process.version1("cpu,cpuacct", "/", "/docker/1f2e")
                .version1("cpuset", "/", "/docker/1f2e")
                .version1("memory", "/", "/docker/1f2e")
                .named("systemd", "/docker/1f2e")
                .file("cpu,cpuacct/cpu.cfs_quota_us", "-1")
                .file("cpu,cpuacct/cpu.cfs_period_us", "100000")
                .file("cpu,cpuacct/docker/cpu.cfs_quota_us", "600000")
                .file("cpu,cpuacct/docker/cpu.cfs_period_us", "100000")
                .file("cpu,cpuacct/docker/1f2e/cpu.cfs_quota_us", "100000")
                .file("cpu,cpuacct/docker/1f2e/cpu.cfs_period_us", "20000")
                .file("cpuset/cpuset.cpus", "0-15")
                .file("cpuset/docker/1f2e/cpuset.cpus", "4-9")
                .file("cpuset/docker/1f2e/cpuset.effective_cpus", "4-7")
                .file("cpuset/docker/1f2e/cpuset.effective_mems", "0");
        ProcessLimits limits = limits();
        assertEquals(5.0, limits.cpuQuota());
        assertEquals("4-7", limits.cpusetCpus().toString());
        assertEquals("0", limits.cpusetMems().toString());
        assertEquals("4-7", limits.usable().toString());
        assertEquals(4, limits.busyThreads());
    }

    @Test
    void groupOfAnOldKernelHasNoEffectiveList() {
        process.version1("cpuset", "/", "/a")
                .file("cpuset/a/cpuset.cpus", "8-9")
                .file("cpuset/a/cpuset.mems", "0");
        assertEquals("8-9", limits().cpusetCpus().toString());
    }

    /** The controllers that are limited are those of version 1; version 2 is there for systemd. */
    @Test
    void bothVersionsAreLookedAtWhereBothAreMounted() {
        process.version1("cpu", "/", "/v1")
                .version2("/sys/fs/cgroup/unified", "/", "/v2")
                .file("cpu/v1/cpu.cfs_quota_us", "200000")
                .file("cpu/v1/cpu.cfs_period_us", "100000")
                .file("unified/v2/cpuset.cpus.effective", "0-3");
        assertEquals(2.0, limits().cpuQuota());
        assertEquals("0-3", limits().usable().toString());
    }

    /** Without a cgroup namespace, a container sees its group's name on the host, and its group at the mount point. */
    @Test
    void containerSeesItsOwnPartOfTheHierarchy() {
        process.version1("cpu", "/docker/1f2e", "/docker/1f2e/inner")
                .file("cpu/cpu.cfs_quota_us", "300000")
                .file("cpu/cpu.cfs_period_us", "100000")
                .file("cpu/inner/cpu.cfs_quota_us", "-1")
                .file("cpu/inner/cpu.cfs_period_us", "100000");
        assertEquals(3.0, limits().cpuQuota());
    }

    @Test
    void mountThatShowsMoreGroupsIsTaken() {
        process.version2("/sys/fs/cgroup/part", "/a/b", "/a/b/c")
                .mount("50 24 0:26 / /sys/fs/cgroup/whole rw - cgroup2 cgroup2 rw")
                .file("part/cpu.max", "900000 100000")
                .file("whole/a/cpu.max", "200000 100000");
        assertEquals(2.0, limits().cpuQuota());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../other", "/elsewhere", "/docker/1f2e3d"})
    void groupThatIsNotShownHasWhatTheMountPointHas(String group) {
        process.version2("/sys/fs/cgroup", "/docker/1f2e", group)
                .file("cpu.max", "400000 100000")
                .file("other/cpu.max", "100000 100000")
                .file("3d/cpu.max", "100000 100000");
        ProcessLimits limits = limits();
        assertEquals(4.0, limits.cpuQuota());
        assertEquals(
                "the process is in the cgroup " + group + ", which /sys/fs/cgroup does not show: the limits of what it"
                        + " does show, /docker/1f2e, are taken for the process's",
                limits.notes().get(0));
    }

    /** A process that was moved out of its cgroup namespace; what is beside the mount point is not its group. */
    @Test
    void groupOutsideOfTheNamespaceIsNotLookedFor() {
        process.version2("/../other").file("cpu.max", "400000 100000").file("../other/cpu.max", "100000 100000");
        assertEquals(4.0, limits().cpuQuota());
    }

    @Test
    void hierarchyThatIsNotMountedIsNoted() {
        process.version2("/sys/fs/cgroup", "/", "/a").version1("cpuset", "/", "/b");
        machine.write("proc/self/mountinfo", "22 1 8:2 / / rw - ext4 /dev/sda2 rw");
        assertEquals(
                List.of(
                        "the process is in the cgroup /a of version 2, which is not mounted: whether cgroups"
                                + " limit the process is unknown",
                        "the process is in the cgroup /b of cpuset, which is not mounted: whether cgroups"
                                + " limit the process is unknown"),
                limits().notes());
    }

    /** Another machine's file system has nothing to do with a copy of its sysfs. */
    @Test
    void mountOutsideOfSysfsIsNotLookedForHere() {
        process.version2("/dev", "/", "/a");
        assertEquals(
                List.of("cgroups are mounted at /dev, outside of sysfs, of which " + machine.sysfs()
                        + " is a copy: whether cgroups limit the process is unknown"),
                limits().notes());
    }

    @Test
    void spaceInANameIsUnescaped() {
        process.version2("/sys/fs/cgroup/my\\040groups", "/", "/a b").file("my groups/a b/cpu.max", "100000 100000");
        assertEquals(1.0, limits().cpuQuota());
    }

    @Test
    void processOfWhichNothingIsKnownIsNotLimited() {
        machine.delete("proc/self");
        ProcessLimits limits = limits();
        assertEquals("0-15", limits.usable().toString());
        assertEquals(
                List.of(
                        directory.resolve("proc/self/cgroup")
                                + " cannot be read: whether cgroups limit the process is unknown",
                        directory.resolve("proc/self/status")
                                + " does not tell the affinity mask: all CPUs that are online are taken for it"),
                limits.notes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "max", "x 100000", "100000", "0 100000", "-1 100000", "100000 0", "1 2 3", "max -5"})
    void malformedQuotaIsNoneAndNoted(String text) {
        process.version2("/a").file("a/cpu.max", text);
        ProcessLimits limits = limits();
        assertEquals(ProcessLimits.NO_QUOTA, limits.cpuQuota());
        assertEquals(
                List.of(mounted("a/cpu.max") + " holds no quota, so it is left out of account: '" + text + "'"),
                limits.notes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "::", "0::", "0:::", "1:cpu:/a:b", "0::a", "0::/\0/\u00fc", "-\n - \n - cgroup"})
    void anyTextInAProcessFileIsNoException(String text) {
        for (String file : List.of("cgroup", "mountinfo", "status")) {
            new CgroupFixture(machine).version2("/a").allowed("0-7", "0").file("a/cpu.max", "200000 100000");
            machine.write("proc/self/" + file, text);
            assertFalse(limits().usable().isEmpty());
        }
    }
}
