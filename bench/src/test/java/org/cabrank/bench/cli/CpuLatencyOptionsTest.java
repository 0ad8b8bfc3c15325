package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.serve.CpuLatencyRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The option of a server that limits how long CPUs take to leave idle states. */
final class CpuLatencyOptionsTest {
    @TempDir
    private Path directory;

    @Command
    private static final class AnyServer {
        @Mixin
        private CpuLatencyOptions latency;
    }

    private static CpuLatencyOptions parse(String... flags) {
        AnyServer command = new AnyServer();
        new CommandLine(command).parseArgs(flags);
        return command.latency;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "10us, 10", "1.5ms, 1500", "2000s, 2000000000"})
    void durationIsWrittenInMicroseconds(String duration, int us) throws IOException {
        Path device = Files.createFile(directory.resolve("device"));
        try (CpuLatencyRequest request = parse("--cpu-dma-latency=" + duration).hold(device)) {
            assertEquals(
                    us,
                    ByteBuffer.wrap(Files.readAllBytes(device))
                            .order(ByteOrder.nativeOrder())
                            .getInt(),
                    request.toString());
        }
    }

    @Test
    void withoutTheOptionTheDeviceIsNotTouched() {
        assertNull(parse().hold(directory.resolve("absent")));
    }

    @Test
    void absentDeviceIsOneLineWithARemedy() {
        Path device = directory.resolve("absent");
        String message = assertThrows(
                        Failure.class, () -> parse("--cpu-dma-latency=0").hold(device))
                .getMessage();
        assertTrue(
                message.startsWith("--cpu-dma-latency: the latency of CPUs cannot be limited: there is no " + device
                        + "; in a container pass the device on"),
                message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void deviceThatCannotBeWrittenIsOneLineWithARemedy() {
        String message = assertThrows(
                        Failure.class, () -> parse("--cpu-dma-latency=0").hold(directory))
                .getMessage();
        assertTrue(
                message.startsWith("--cpu-dma-latency: the latency of CPUs cannot be limited: " + directory
                        + ": Is a directory; "),
                message);
    }
}
