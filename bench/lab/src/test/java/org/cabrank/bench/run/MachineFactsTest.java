package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.report.BenchReport.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineFactsTest {

    @TempDir
    Path root;

    @Test
    void theMachineIsReadFromProcAndSysfs() throws IOException {
        write("proc/sys/kernel/osrelease", "6.18.0-test\n");
        write("proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU @ 3GHz\n\nprocessor\t: 1\nmodel name\t: Other\n");
        write("proc/meminfo", "MemTotal:        8123456 kB\nMemFree: 1 kB\n");
        write("sys/devices/system/cpu/online", "0-3\n");
        Machine machine = new MachineFacts(root).machine();
        assertEquals("6.18.0-test", machine.kernelRelease());
        assertEquals("A CPU @ 3GHz", machine.cpuModel());
        assertEquals("0-3", machine.cpusOnline());
        assertEquals(8_123_456, machine.memoryKb());
    }

    @Test
    void armNamesItsCpuInNumbers() throws IOException {
        write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
        assertEquals(
                "implementer 0x41 part 0xd0c", new MachineFacts(root).machine().cpuModel());
    }

    @Test
    void factsThatTheMachineDoesNotReportAreUnknown() {
        Machine machine = new MachineFacts(root).machine();
        assertEquals("unknown", machine.kernelRelease());
        assertEquals(0, machine.memoryKb());
    }

    @Test
    void siblingsAreThoseOfTheCoreOrTheCpuAlone() throws IOException {
        write("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,65\n");
        MachineFacts facts = new MachineFacts(root);
        assertEquals("1,65", facts.siblings(1).toString());
        assertEquals("2", facts.siblings(2).toString());
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
