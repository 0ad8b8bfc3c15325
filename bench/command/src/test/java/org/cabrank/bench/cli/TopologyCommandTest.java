package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.cabrank.affinity.fixture.CgroupFixture;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineBuilder;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Once
final class TopologyCommandTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private MachineFixture small;

    @BeforeEach
    void aMachineThatIsNotHere() {
        small = Machine.CLOUD_VM.in(directory.resolve("small"));
    }

    private int execute(String... flags) {
        return execute(small.sysfs(), small.procfs(), flags);
    }

    private int executeForEpyc(String... flags) {
        MachineFixture epyc = Machine.EPYC_TWO_SOCKETS.in(directory.resolve("epyc"));
        return execute(epyc.sysfs(), epyc.procfs(), flags);
    }

    private int execute(Path sysfs, Path procfs, String... flags) {
        List<String> arguments = new ArrayList<>(
                List.of("topology", "--sysfs-root", sysfs.toString(), "--procfs-root", procfs.toString()));
        arguments.addAll(List.of(flags));
        CommandLine commands = Commands.commandLine(arguments.toArray(String[]::new));
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commands.execute(arguments.toArray(String[]::new));
    }

    @Test
    void theMachineUnderTheRootsIsDrawn() {
        assertEquals(0, executeForEpyc("--placement", "node"));
        assertTrue(out.toString().startsWith("AMD EPYC 7763 64-Core Processor, x86_64"), out.toString());
        assertTrue(out.toString().contains("placement node: 8 shards"), out.toString());
    }

    @Test
    void otherProgramsGetJson() throws Exception {
        assertEquals(0, executeForEpyc("--json", "--placement", "l3", "--shards", "2"));
        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertEquals(256, report.get("cpus").size());
        assertEquals("[1]", report.at("/cpus/8/shards").toString());
        assertEquals("16-31,144-159", report.at("/nodes/1/cpus").asText());
        assertEquals(5, report.at("/interfaces/0/node").asInt());
        assertEquals("0-255", report.at("/process/usable").asText());
        assertTrue(report.at("/process/cpuQuota").isNull());
        assertEquals("8-15,136-143", report.at("/plan/shards/1/cpus").asText());
    }

    @Test
    void aMistypedRootIsAWrongCommandLine() {
        Path mistyped = directory.resolve("epic");
        assertEquals(2, execute(mistyped, small.procfs()));
        assertTrue(
                err.toString().contains("--sysfs-root " + mistyped + ": there is no such directory"), err.toString());
        assertEquals(2, execute(small.procfs(), small.procfs()));
        assertTrue(err.toString().contains("there is no directory devices/system/cpu in it"), err.toString());
        assertEquals(2, execute(small.sysfs(), mistyped));
        assertTrue(err.toString().contains("--procfs-root " + mistyped), err.toString());
        assertEquals("", out.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--placement nic:absent", "--placement node --json"})
    void controlCharactersOfFilesDoNotReachTheTerminal(String flags) throws Exception {
        String red = "\u001b[31mred\u009b7m\r";
        small.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: " + red + "\nflags\t: fpu")
                .write("proc/sys/kernel/osrelease", red)
                .write("sys/devices/system/node/node0/distance", red);
        new MachineBuilder(small.directory()).card("eth" + red, "pci0000:00/0000:00:" + red, 0, true);
        new CgroupFixture(small).version2("/" + red).allowed("0-1", "0");
        int status = execute(flags.split(" "));
        assertEquals(0, status, err.toString());
        String all = out.toString() + err;
        assertTrue(all.contains("?[31mred"), all);
        assertFalse(Pattern.compile("[\\p{Cc}&&[^\\n]]").matcher(all).find(), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--shards 2 | --shards is for --placement",
                "--threads-per-shard 2 | --threads-per-shard is for --placement",
                "--placement cores --shards 0 | --shards must be from 1 to 1024, but is 0",
                "--placement cores --threads-per-shard 2000 | --threads-per-shard must be from 1 to 1024",
                "--placement core | right would be none, cores"
            })
    void aWrongCommandLineIsOneLineThatSaysWhatIsRight(String flags, String words) {
        assertEquals(2, execute(flags.split(" ")));
        assertEquals("", out.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains(words), err.toString());
    }
}
