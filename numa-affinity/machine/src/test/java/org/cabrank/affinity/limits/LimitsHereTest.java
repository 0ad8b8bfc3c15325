package org.cabrank.affinity.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits of this process on this machine, and of a JVM started under limits that the test sets, if it is permitted to. */
class LimitsHereTest {
    private final List<Path> made = new ArrayList<>();
    private Kernel kernel;
    private ProcessLimits here;

    @BeforeEach
    void readWhatThisProcessMayUse() throws Exception {
        kernel = Kernels.system();
        here = read(kernel);
    }

    private static ProcessLimits read(Kernel kernel) {
        return new LimitsReader(kernel).read(new TopologyReader().read());
    }

    /** Groups can be deleted innermost first, when no process is in them. */
    @AfterEach
    void deleteGroups() throws IOException {
        for (int i = made.size() - 1; i >= 0; i--) {
            Files.delete(made.get(i));
        }
    }

    @Test
    void thisProcessMayUseItsMask() throws Exception {
        assertEquals(new Affinity(kernel).ofProcess(), here.affinityMask());
        assertEquals(here.affinityMask(), here.usable());
        assertTrue(here.cpusetCpus().isEmpty() || here.cpusetCpus().containsAll(here.usable()), here::toString);
        assertEquals(Runtime.getRuntime().availableProcessors(), here.jvmProcessors());
    }

    @Test
    void pinnedThreadSeesWhatTheProcessMayUse() throws Exception {
        FutureTask<ProcessLimits> task = new FutureTask<>(() -> {
            new Affinity(kernel).pin(CpuList.of(here.usable().cpus().findFirst().orElseThrow()));
            return read(kernel);
        });
        Thread pinned = new Thread(task);
        pinned.start();
        pinned.join();
        assertEquals(here.usable(), task.get().usable());
    }

    @Test
    void maskThatTheKernelDoesNotTellIsReadFromProcfs() {
        ProcessLimits limits = read(new ForwardingKernel(kernel) {
            @Override
            public int schedGetaffinity(int tid, int maskBytes, long mask) {
                return -Errno.ENOSYS;
            }
        });
        assertEquals(here.usable(), limits.usable());
        assertTrue(limits.notes().get(0).contains("sched_getaffinity: ENOSYS"), limits.notes()::toString);
    }

    @Test
    void jvmUnderAQuotaOfItsGroupsParentSeesIt() throws Exception {
        assumeTrue(here.busyThreads() >= 2, "one CPU is all that this process may use");
        Cgroup cgroup = ownGroup("cpu");
        Path outer = make(
                directoryOf(cgroup), "cabrank-test-" + ProcessHandle.current().pid(), cgroup, "cpu");
        Path inner = make(outer, "inner", cgroup, "cpu");
        if (cgroup.version() == 2) {
            Files.writeString(outer.resolve("cpu.max"), "150000 100000");
        } else {
            Files.writeString(outer.resolve("cpu.cfs_period_us"), "100000");
            Files.writeString(outer.resolve("cpu.cfs_quota_us"), "150000");
        }
        String file = outer.resolve(cgroup.version() == 2 ? "cpu.max" : "cpu.cfs_quota_us")
                .toString();
        String said = jvmIn(inner);
        boolean looksAtParents = Runtime.version().feature() > 17 || cgroup.version() == 2;
        int counted = looksAtParents ? 2 : here.usable().size();
        assertTrue(said.contains(" quota 1.5 is 1 jvm " + counted + " usable " + here.usable() + " notes "), said);
        assertTrue(said.contains(file + " grants the time of 1.50 CPUs: 150.0 ms in each 100.0 ms"), said);
        assertTrue(
                said.contains("the JVM counts " + counted + " processors where 1 thread may be busy all the time"),
                said);
    }

    @Test
    void jvmInACpusetSeesIt() throws Exception {
        assumeTrue(here.usable().size() >= 2, "one CPU is all that this process may use");
        Cgroup cgroup = ownGroup("cpuset");
        Path group = make(
                directoryOf(cgroup), "cabrank-test-" + ProcessHandle.current().pid(), cgroup, "cpuset");
        CpuList second = CpuList.of(here.usable().cpus().skip(1).findFirst().orElseThrow());
        Files.writeString(group.resolve("cpuset.cpus"), second.toString());
        Files.writeString(group.resolve("cpuset.mems"), here.cpusetMems().toString());
        String said = jvmIn(group);
        assertTrue(said.startsWith("mask " + second + " cpuset " + second + " quota "), said);
        assertTrue(said.contains(" jvm 1 usable " + second + " notes [the cpuset cgroup leaves CPU "), said);
    }

    /** The group of this process that has this controller. */
    private static Cgroup ownGroup(String controller) {
        Notes notes = new Notes();
        FileTree self = new FileTree(TopologyReader.PROCFS.resolve("self"), notes);
        for (Cgroup group : Cgroup.of(TopologyReader.SYSFS, self, notes)) {
            boolean has = group.version() == 1
                    ? group.tree().has(controller.equals("cpu") ? "cpu.cfs_period_us" : "cpuset.cpus")
                    : group.tree()
                            .text(group.directories().get(0) + "cgroup.controllers")
                            .map(controllers -> List.of(controllers.split(" ")).contains(controller))
                            .orElse(false);
            if (has) {
                return group;
            }
        }
        return abort("no cgroup with the controller " + controller + " is to be seen here");
    }

    private static Path directoryOf(Cgroup cgroup) {
        return cgroup.tree().path(cgroup.directories().get(0));
    }

    private Path make(Path parent, String name, Cgroup cgroup, String controller) {
        try {
            if (cgroup.version() == 2) {
                Files.writeString(parent.resolve("cgroup.subtree_control"), "+" + controller);
            }
            made.add(Files.createDirectory(parent.resolve(name)));
            return parent.resolve(name);
        } catch (IOException refused) {
            return abort("this process may not make a cgroup: " + refused);
        }
    }

    private static String jvmIn(Path group) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"", "sh", java()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", classPath(), LimitsMain.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** This JVM's module path and class path, and the tests, which are patched into a module and stand on neither. */
    private static String classPath() {
        String name = LimitsMain.class.getName().replace('.', '/') + ".class";
        String file = LimitsMain.class.getResource("/" + name).getPath();
        return String.join(
                File.pathSeparator,
                file.substring(0, file.length() - name.length()),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""));
    }
}
