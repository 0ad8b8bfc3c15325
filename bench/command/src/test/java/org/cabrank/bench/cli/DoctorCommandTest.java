package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class DoctorCommandTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commands.execute(arguments);
    }

    @Test
    void thisMachineIsExaminedWithARingOfItsOwn() {
        assertEquals(0, execute("doctor"));
        assertTrue(out.toString().contains("io_uring: "), out.toString());
        assertTrue(!out.toString().contains("not tried"), out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void programsGetJsonAndWhoIsStrictAStatus() throws Exception {
        MachineFixture machine = Machine.CXL_MEMORY.in(directory);
        machine.write("proc/sys/kernel/numa_balancing", "1");
        assertEquals(
                1,
                execute(
                        "doctor",
                        "--json",
                        "--strict",
                        "--sysfs-root",
                        machine.sysfs().toString(),
                        "--procfs-root",
                        machine.procfs().toString()));
        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertEquals(1, report.get("format").asInt());
        JsonNode balancing = null;
        for (JsonNode finding : report.get("findings")) {
            balancing = finding.get("id").asText().equals("numa-balancing") ? finding : balancing;
        }
        assertEquals("warning", balancing.get("severity").asText());
        assertEquals(
                "sysctl -w kernel.numa_balancing=0", balancing.get("remedy").asText());
    }

    @Test
    void flagsOfAPlanNeedAPlacement() {
        assertEquals(2, execute("doctor", "--shards", "2"));
        assertTrue(err.toString().contains("--shards is for --placement"), err.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "--pid is 0, --pid 0",
        "--observe is for --pid, --observe 1s",
        "--observe must be from 100ms to 10min, --pid 1 --observe 1ms",
        "--sysfs-root is for the machine, --pid 1 --sysfs-root /sys",
        "--placement is for the machine, --pid 1 --placement cores",
    })
    void flagsOfAServerAreCheckedBeforeItIsAttachedTo(String refusal, String flags) {
        assertEquals(2, execute(("doctor " + flags).split(" ")));
        assertTrue(err.toString().startsWith("cabrank doctor: " + refusal), err.toString());
    }
}
