package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.LiveCpuset;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.fixture.ServerThreads;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** CPUs of the threads of {@code cabrank serve}, as the kernel reports them. */
@NewestJdk
@Timeout(300)
final class PlacementProcessTest {
    private CpuList allowed;
    private int first;
    private int last;

    @BeforeEach
    void onlineCpusAreRead() throws Exception {
        allowed = new Affinity(Kernels.system()).current();
        first = allowed.cpus().min().orElseThrow();
        last = allowed.cpus().max().orElseThrow();
    }

    private static ServeProcess serve(String... flags) throws Exception {
        String[] arguments = new String[flags.length + 3];
        arguments[0] = "echo";
        arguments[1] = "--listen";
        arguments[2] = "127.0.0.1:0";
        System.arraycopy(flags, 0, arguments, 3, flags.length);
        return ServeProcess.start(null, arguments);
    }

    @Test
    void eachShardsThreadsRunOnItsCpu() throws Exception {
        String list = first == last ? "" + first : first + "," + last;
        try (ServeProcess server = serve("--shards", "2", "--threads-per-shard", "2", "--cpus", list)) {
            server.address();
            String one = Integer.toString(first);
            String other = Integer.toString(last);
            assertEquals(
                    Map.of("cabrank-s0-0", one, "cabrank-s0-1", one, "cabrank-s1-0", other, "cabrank-s1-1", other),
                    ServerThreads.masks(server.pid()));
            assertTrue(server.errors().contains("shard 0  CPU " + first), server.errors());
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }

    @InSoak
    @Test
    void sharedThreadsTakeTheListedCpusInTurn() throws Exception {
        try (ServeProcess server =
                serve("--shards", "2", "--set", "serve.sharedThreads=3", "--cpus", first + "," + last)) {
            server.address();
            assertEquals(
                    first == last ? Map.of("" + first, 3L) : Map.of("" + first, 2L, "" + last, 1L), counts(server));
        }
    }

    private static Map<String, Long> counts(ServeProcess server) throws Exception {
        Map<String, Long> counts = new TreeMap<>();
        ServerThreads.masks(server.pid()).values().forEach(cpus -> counts.merge(cpus, 1L, Long::sum));
        return counts;
    }

    /** The threads that a shard starts with, which both run on the CPU of the shard. */
    private static Map<String, String> bothOn(int cpu) {
        return Map.of("cabrank-s0-0", Integer.toString(cpu), "cabrank-s0-1", Integer.toString(cpu));
    }

    /** Runs under a tracer that answers for the kernel, as a sandbox would. */
    private static List<String> pinningForbidden() throws Exception {
        List<String> tracer = List.of(
                "strace",
                "-f",
                "-qq",
                "--seccomp-bpf", // else it looks at every call, and a JVM takes many times as long to start
                "-o/dev/null",
                "-etrace=sched_setaffinity",
                "-einject=sched_setaffinity:error=EPERM");
        List<String> trial = new ArrayList<>(tracer);
        trial.add("true");
        try {
            assumeTrue(new ProcessBuilder(trial).start().waitFor() == 0, "strace may trace nothing here");
        } catch (IOException absent) {
            abort("there is no strace here");
        }
        return tracer;
    }

    @InSoak
    @Test
    void aStrictPlacementThatTheKernelRefusesIsSaidInWords() throws Exception {
        try (ServeProcess server = ServeProcess.startUnder(
                pinningForbidden(),
                null,
                "echo",
                "--listen",
                "127.0.0.1:0",
                "--cpus",
                "" + first,
                "--set",
                "serve.strictPlacement=true")) {
            assertEquals(1, server.exitStatus());
            String said = server.errors();
            assertTrue(said.contains("cannot pin this thread to CPU " + first), said);
            assertTrue(said.lines().noneMatch(line -> line.startsWith("\tat ")), said);
        }
    }

    private static void taskset(String cpus, String tid) throws Exception {
        Process taskset;
        try {
            taskset = new ProcessBuilder("taskset", "-pc", cpus, tid)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException absent) {
            abort("there is no taskset here");
            return;
        }
        assertEquals(0, taskset.waitFor());
    }

    @Test
    void offendingChangeFromOutsideIsPutBackAndTheServerEndsWhenItsCpuIsTakenAway() throws Exception {
        assumeTrue(first != last, "there is one CPU only");
        try (LiveCpuset cpuset = LiveCpuset.ofProcesses();
                ServeProcess server = serve("--cpus", "" + last, "--set", "serve.strictPlacement=true")) {
            server.address();
            taskset("" + first, ServerThreads.id(server.pid(), "cabrank-s0-0"));
            server.awaitError("somebody let thread cabrank-s0-0");
            assertEquals(bothOn(last), ServerThreads.masks(server.pid()));
            cpuset.cpus(CpuList.of(first));
            cpuset.takeProcess(server.pid());
            assertEquals(1, server.exitStatus());
            String said = server.errors();
            assertTrue(said.contains("--set serve.strictPlacement: thread cabrank-s0-"), said);
            assertTrue(said.contains(last + " is outside this process's cpuset"), said);
        }
    }

    @Test
    void unavailableSettingIsReportedAndASecondServerKeepsOffTheCoresThatTheFirstHasReserved(@TempDir Path locks)
            throws Exception {
        try (ServeProcess server = serve("--cpus", first + ",8191", "--set", "serve.reserveCpus=" + locks)) {
            server.address();
            assertEquals(bothOn(first), ServerThreads.masks(server.pid()));
            String said = server.errors();
            assertTrue(said.contains("warning: CPU 8191 does not exist on this machine: only " + first), said);
            CapturedCommand second = CapturedCommand.run(
                    "serve",
                    "echo",
                    "--listen",
                    "127.0.0.1:0",
                    "--cpus",
                    "" + first,
                    "--set",
                    "serve.reserveCpus=" + locks,
                    "--set",
                    "serve.strictPlacement=true");
            assertEquals(1, second.status(), second::err);
            assertTrue(
                    second.err().contains("is reserved by process " + server.pid() + " (cabrank serve)"), second::err);
        }
    }

    @Test
    void threadsOfAPlacementAreHeldToItsPlan() throws Exception {
        try (ServeProcess server = serve("--placement", "cores")) {
            server.address();
            CpuList mask = CpuList.parse(ServerThreads.masks(server.pid()).get("cabrank-s0-0"));
            assertEquals(1, mask.size());
            assertTrue(allowed.containsAll(mask), mask.toString());
            assertTrue(server.errors().contains("placement cores: 1 shard"), server.errors());
        }
    }
}
