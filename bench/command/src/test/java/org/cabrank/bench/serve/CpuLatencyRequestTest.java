package org.cabrank.bench.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CpuLatencyRequestTest {
    @TempDir
    private Path directory;

    private static int number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    }

    @Test
    void requestIsOneBinaryNumber() throws IOException {
        Path device = Files.createFile(directory.resolve("cpu_dma_latency"));
        try (CpuLatencyRequest request = CpuLatencyRequest.hold(device, 25)) {
            assertEquals("CPUs are kept out of idle states that take more than 25 us to leave", request.toString());
            byte[] written = Files.readAllBytes(device);
            assertEquals(Integer.BYTES, written.length);
            assertEquals(25, number(written));
        }
    }

    @Test
    void deviceThatIsAbsentIsNotCreated() {
        Path device = directory.resolve("absent");
        assertThrows(NoSuchFileException.class, () -> CpuLatencyRequest.hold(device, 0));
        assertFalse(Files.exists(device));
    }

    /** A device that takes {@code taken} bytes of any write. */
    private static final class ShortDevice implements WritableByteChannel {
        private final int taken;
        private boolean open = true;

        private ShortDevice(int taken) {
            this.taken = taken;
        }

        @Override
        public int write(ByteBuffer source) {
            return taken;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }

    @Test
    void deviceIsOpenUntilTheRequestIsClosed() throws IOException {
        ShortDevice device = new ShortDevice(Integer.BYTES);
        try (CpuLatencyRequest request = CpuLatencyRequest.hold(device, 0)) {
            assertTrue(device.isOpen(), request.toString());
        }
        assertFalse(device.isOpen());
    }

    @Test
    void shortWriteClosesTheDevice() {
        ShortDevice device = new ShortDevice(2);
        assertEquals(
                "the kernel took 2 of 4 bytes",
                assertThrows(IOException.class, () -> CpuLatencyRequest.hold(device, 0))
                        .getMessage());
        assertFalse(device.isOpen());
    }

    @Test
    void kernelObeysARequestWhileItIsHeld() throws IOException {
        assumeTrue(Files.isWritable(CpuLatencyRequest.DEVICE) && Files.isReadable(CpuLatencyRequest.DEVICE));
        int before = kernelLatencyUs();
        // Other processes may ask for less at any time, so only this request's own bound is sure.
        try (CpuLatencyRequest request = CpuLatencyRequest.hold(CpuLatencyRequest.DEVICE, Math.min(before, 17))) {
            assertTrue(kernelLatencyUs() <= 17, request.toString());
        }
    }

    private static int kernelLatencyUs() throws IOException {
        try (FileChannel device = FileChannel.open(CpuLatencyRequest.DEVICE, StandardOpenOption.READ)) {
            ByteBuffer value = ByteBuffer.allocate(Integer.BYTES);
            assertEquals(Integer.BYTES, device.read(value));
            return number(value.array());
        }
    }
}
