package org.cabrank.bench.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A request to the kernel that every CPU of the machine leaves its idle state within a time
 * (Documentation/power/pm_qos_interface.rst). The request holds as long as the device is open, at most until the process ends.
 * The kernel obeys the shortest time that any process asks for.
 */
public final class CpuLatencyRequest implements AutoCloseable {
    /** The device of this machine. */
    public static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

    /** The kernel's value for "no request" (PM_QOS_CPU_LATENCY_DEFAULT_VALUE), 2,000 s: anything longer asks for nothing. */
    public static final int US_MAX = 2_000_000_000;

    private final WritableByteChannel device;
    private final int us;

    private CpuLatencyRequest(WritableByteChannel device, int us) {
        this.device = device;
        this.us = us;
    }

    /**
     * Opens {@code device} and writes the request.
     *
     * @param us the longest exit latency in microseconds, 0 to {@link #US_MAX}; 0 keeps CPUs out of all idle states that have one
     * @throws IOException when the device is absent, may not be opened, or does not take the value
     */
    public static CpuLatencyRequest hold(Path device, int us) throws IOException {
        // Without CREATE: where there is no such device, no file may take its place.
        return hold(FileChannel.open(device, StandardOpenOption.WRITE), us);
    }

    /** Holds a request at an open {@code device}, which is closed on failure. */
    static CpuLatencyRequest hold(WritableByteChannel device, int us) throws IOException {
        // The kernel takes exactly four bytes for a binary number and everything else for text.
        ByteBuffer value = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(us)
                .flip();
        try {
            int written = device.write(value);
            if (written != Integer.BYTES) {
                throw new IOException("the kernel took " + written + " of " + Integer.BYTES + " bytes");
            }
        } catch (IOException refused) {
            device.close();
            throw refused;
        }
        return new CpuLatencyRequest(device, us);
    }

    /** Withdraws the request. */
    @Override
    public void close() {
        try {
            device.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public String toString() {
        return "CPUs are kept out of idle states that take more than " + us + " us to leave";
    }
}
