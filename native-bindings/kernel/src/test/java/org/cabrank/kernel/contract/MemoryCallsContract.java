package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** mmap, and the way from an address to a buffer and back. */
public abstract class MemoryCallsContract extends KernelContract {
    private static final int PAGES_BYTES = 1 << 16;

    @Test
    void mappedMemoryIsReadAndWritten() {
        long address = map(PAGES_BYTES, -1);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        ByteBuffer view = kernel().viewOf(address, PAGES_BYTES);
        assertEquals(PAGES_BYTES, view.capacity());
        assertEquals(ByteOrder.nativeOrder(), view.order());
        assertEquals(0, view.getLong(PAGES_BYTES - Long.BYTES));
        view.putInt(8, 0x1234_5678);
        assertEquals(0x1234_5678, kernel().viewOf(address + 8, 4).getInt(0));
        assertEquals(address, kernel().addressOf(view));
        good(kernel().munmap(address, PAGES_BYTES));
    }

    @Test
    void everyByteOfALargeMappingIsInItsView() {
        int bytes = 4 << 20;
        long address = map(bytes, -1);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        ByteBuffer view = kernel().viewOf(address, bytes);
        assertEquals(bytes, view.capacity());
        for (int at = 0; at < bytes; at += 4096) {
            view.putLong(at, ~(long) at);
        }
        view.putLong(bytes - Long.BYTES, bytes);
        for (int at = 0; at < bytes; at += 4096) {
            assertEquals(~(long) at, kernel().viewOf(address + at, Long.BYTES).getLong(0));
        }
        assertEquals(
                bytes, kernel().viewOf(address + bytes - Long.BYTES, Long.BYTES).getLong(0));
        good(kernel().munmap(address, bytes));
    }

    @Test
    void descriptorIsMappedFromAnOffsetThatNeedsMoreThan32Bits(@TempDir Path dir) throws Exception {
        long offset = 0x1_8000_0000L;
        Path path = dir.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(offset);
            file.write("here".getBytes(StandardCharsets.US_ASCII));
            file.setLength(offset + PAGES_BYTES);
        }
        int fd = opened(kernel().open(address(zeroTerminated(path)), FileFlags.O_RDWR, 0));
        long address = kernel().mmap(0, PAGES_BYTES, Memory.PROT_READ, Memory.MAP_SHARED, fd, offset);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        assertEquals("here", text(kernel().viewOf(address, PAGES_BYTES), 4));
        good(kernel().munmap(address, PAGES_BYTES));
    }

    @Test
    void pageIsWhatTheKernelMapsAtLeast() {
        int pageBytes = good(kernel().getpagesize());
        assertEquals(1, Integer.bitCount(pageBytes));
        long address = map(2L * pageBytes, -1);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        assertEquals(0, address % pageBytes);
        assertErrno(Errno.EINVAL, kernel().munmap(address + pageBytes / 2, pageBytes));
        good(kernel().munmap(address + pageBytes, pageBytes));
        good(kernel().munmap(address, pageBytes));
    }

    @Test
    void mappingFailsWithItsError() {
        assertErrno(Errno.EINVAL, map(0, -1));
        assertErrno(Errno.EBADF, kernel().mmap(0, PAGES_BYTES, Memory.PROT_READ, Memory.MAP_SHARED, 1 << 20, 0));
        assertErrno(Errno.ENOMEM, map(1L << 60, -1));
        assertErrno(Errno.EINVAL, kernel().munmap(1, PAGES_BYTES));
    }

    @Test
    void addressIsThatOfTheFirstByteWhateverThePosition() {
        ByteBuffer buffer = memory(64);
        long address = kernel().addressOf(buffer);
        buffer.position(10).limit(20);
        assertEquals(address, kernel().addressOf(buffer));
        assertEquals(address + 10, kernel().addressOf(buffer.slice()));
        assertEquals(10, buffer.position());
        assertEquals(20, buffer.limit());
        assertEquals(address, kernel().addressOf(buffer.asReadOnlyBuffer()));
    }

    @Test
    void bufferOnTheHeapHasNoAddress() {
        ByteBuffer heap = ByteBuffer.allocate(8);
        assertThrows(IllegalArgumentException.class, () -> kernel().addressOf(heap));
    }

    private long map(long bytes, int fd) {
        return kernel().mmap(
                        0,
                        bytes,
                        Memory.PROT_READ | Memory.PROT_WRITE,
                        Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS,
                        fd,
                        0);
    }
}
