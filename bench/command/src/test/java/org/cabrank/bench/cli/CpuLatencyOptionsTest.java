package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
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

    private static String message(IOException cause) {
        return CpuLatencyOptions.failure(CpuLatencyRequest.DEVICE, cause).getMessage();
    }

    @Test
    void refusalNamesItsCauseAndARemedy() {
        String device = CpuLatencyRequest.DEVICE.toString();
        String said = "--cpu-dma-latency: the latency of CPUs cannot be limited: " + device;
        assertEquals(
                said
                        + " may be written by root alone (EACCES); run as root, or let this user write the device by a udev"
                        + " rule (KERNEL==\"cpu_dma_latency\", GROUP=\"NAME\", MODE=\"0660\")",
                message(new AccessDeniedException(device)));
        // EPERM, from the controller of devices of a container's cgroup.
        String host = "; in a container the host must allow the device (docker run --device " + device
                + "), or leave the option out";
        assertEquals(
                said + ": Operation not permitted" + host,
                message(new FileSystemException(device, null, "Operation not permitted")));
        assertEquals(
                said + ": the kernel took 2 of 4 bytes" + host,
                message(new IOException("the kernel took 2 of 4 bytes")));
    }
}
