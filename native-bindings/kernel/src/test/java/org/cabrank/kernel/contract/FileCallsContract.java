package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoVec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files by descriptor, pipes with a name and without. */
public abstract class FileCallsContract extends KernelContract {
    private static final int FOR_ALL = 0_666;

    private final ByteBuffer ends = memory(2 * Integer.BYTES);

    @Test
    void pipeCarriesBytesOneWay() {
        int[] pipe = pipe(FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC);
        ByteBuffer into = memory(8);
        assertErrno(Errno.EAGAIN, kernel().read(pipe[0], address(into), 8));
        assertEquals(4, kernel().write(pipe[1], address(memory("ping")), 4));
        assertEquals(4, kernel().read(pipe[0], address(into), 8));
        assertEquals("ping", text(into, 4));
        assertErrno(Errno.EBADF, kernel().write(pipe[0], address(into), 1));
        close(pipe[1]);
        assertEquals(0, kernel().read(pipe[0], address(into), 8));
    }

    /** The JVM has a handler for SIGPIPE, which comes with it. */
    @Test
    void pipeThatNobodyReadsRefusesBytes() {
        int[] pipe = pipe(0);
        close(pipe[0]);
        assertErrno(Errno.EPIPE, kernel().write(pipe[1], address(memory("x")), 1));
    }

    @Test
    void namedPipeCarriesBytes(@TempDir Path dir) {
        Path path = dir.resolve("fifo");
        good(kernel().mkfifo(address(zeroTerminated(path)), FOR_ALL));
        int nobodyReads = kernel().open(address(zeroTerminated(path)), FileFlags.O_WRONLY | FileFlags.O_NONBLOCK, 0);
        assertErrno(Errno.ENXIO, nobodyReads);
        int reading = open(path, FileFlags.O_RDONLY | FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC, 0);
        int writing = open(path, FileFlags.O_WRONLY | FileFlags.O_NONBLOCK, 0);
        assertEquals(1, kernel().write(writing, address(memory("x")), 1));
        assertEquals(1, kernel().read(reading, address(memory(8)), 8));
        assertErrno(Errno.EEXIST, kernel().mkfifo(address(zeroTerminated(path)), FOR_ALL));
    }

    @Test
    void fileIsMadeWithItsPermissions(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("file");
        int fd = open(path, FileFlags.O_RDWR | FileFlags.O_CREAT | FileFlags.O_EXCL, 0_600);
        assertEquals(2, kernel().write(fd, address(memory("hi")), 2));
        assertEquals("hi", Files.readString(path));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertErrno(
                Errno.EEXIST,
                kernel().open(address(zeroTerminated(path)), FileFlags.O_CREAT | FileFlags.O_EXCL, 0_600));
    }

    @Test
    void flagsOfADescriptorAreReadAndSet() {
        int end = pipe(0)[0];
        assertEquals(0, good(kernel().fcntl(end, FileFlags.F_GETFD, 0)));
        assertEquals(0, good(kernel().fcntl(end, FileFlags.F_GETFL, 0)) & FileFlags.O_NONBLOCK);
        good(kernel().fcntl(end, FileFlags.F_SETFD, FileFlags.FD_CLOEXEC));
        good(kernel().fcntl(end, FileFlags.F_SETFL, FileFlags.O_NONBLOCK));
        assertEquals(FileFlags.FD_CLOEXEC, good(kernel().fcntl(end, FileFlags.F_GETFD, 0)));
        assertEquals(FileFlags.O_NONBLOCK, good(kernel().fcntl(end, FileFlags.F_GETFL, 0)) & FileFlags.O_NONBLOCK);
        assertErrno(Errno.EAGAIN, kernel().read(end, address(ends), 1));
        assertErrno(Errno.EBADF, kernel().fcntl(-1, FileFlags.F_GETFL, 0));
    }

    @Test
    void fileIsReadAndWrittenAtPositions(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("file");
        int fd = open(path, FileFlags.O_RDWR | FileFlags.O_CREAT, 0_600);
        long far = 3L << 30; // beyond what an int can say
        assertEquals(4, kernel().pwrite(fd, address(memory("tail")), 4, far));
        assertEquals(4, kernel().pwrite(fd, address(memory("head")), 4, 0));
        good(kernel().fdatasync(fd));
        good(kernel().fsync(fd));
        assertEquals(far + 4, Files.size(path));
        ByteBuffer into = memory(8);
        assertEquals(3, kernel().pread(fd, address(into), 8, far + 1));
        assertEquals("ail", text(into, 3));
        assertEquals(0, kernel().pread(fd, address(into), 8, far + 4));
        assertErrno(Errno.EINVAL, kernel().pread(fd, address(into), 8, -1));
        assertErrno(Errno.ESPIPE, kernel().pread(pipe(0)[0], address(into), 8, 0));
        assertErrno(Errno.EBADF, kernel().fsync(-1));
        assertErrno(Errno.EBADF, kernel().fdatasync(-1));
    }

    @Test
    void cachedBytesAreReadWithoutAWait(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("file");
        Files.writeString(path, "0123456789"); // stands in the cache until it is written to the disk, and longer
        int fd = open(path, FileFlags.O_RDONLY, 0);
        ByteBuffer into = memory(8);
        ByteBuffer vector = memory(2 * IoVec.SIZE_BYTES);
        for (int i = 0; i < 2; i++) {
            vector.putLong(i * IoVec.SIZE_BYTES + IoVec.BASE_OFFSET, address(into) + 4 * i);
            vector.putLong(i * IoVec.SIZE_BYTES + IoVec.LEN_OFFSET, i + 1);
        }
        int flags = FileFlags.RWF_NOWAIT;
        if (kernel().preadv2(fd, address(vector), 1, 0, flags) == -Errno.EOPNOTSUPP) {
            flags = 0; // some file systems do not know the flag
        }
        assertEquals(3, kernel().preadv2(fd, address(vector), 2, 4, flags));
        assertEquals("4", text(into, 1));
        assertEquals("56", text(into.duplicate().position(4).slice(), 2));
        assertEquals(1, kernel().preadv2(fd, address(vector), 1, 9, 0));
        assertEquals(0, kernel().preadv2(fd, address(vector), 1, 10, flags));
        assertErrno(Errno.EOPNOTSUPP, kernel().preadv2(fd, address(vector), 1, 0, 1 << 30));
        assertErrno(Errno.EBADF, kernel().preadv2(-1, address(vector), 1, 0, 0));
        assertErrno(Errno.ESPIPE, kernel().preadv2(pipe(0)[0], address(vector), 1, 0, 0));
    }

    @Test
    void fileIsSentToASocket(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("file");
        Files.writeString(path, "0123456789");
        int fd = open(path, FileFlags.O_RDONLY, 0);
        int listening = listening(loopback());
        int receiving = connectedTo(listening);
        int sending = opened(kernel().accept4(listening, 0, 0, 0));
        ByteBuffer position = memory(Long.BYTES).putLong(0, 4);
        assertEquals(3, kernel().sendfile(sending, fd, address(position), 3));
        assertEquals(7, position.getLong(0));
        assertEquals(3, kernel().sendfile(sending, fd, address(position), 100));
        assertEquals(0, kernel().sendfile(sending, fd, address(position), 100));
        ByteBuffer into = memory(16);
        assertEquals(6, kernel().read(receiving, address(into), 16));
        assertEquals("456789", text(into, 6));
        assertErrno(Errno.EBADF, kernel().sendfile(sending, -1, address(position), 1));
        int pipe = pipe(0)[0];
        assertErrno(Errno.ESPIPE, kernel().sendfile(sending, pipe, address(position), 1));
        good(kernel().shutdown(sending, Sockets.SHUT_WR));
        assertErrno(Errno.EPIPE, kernel().sendfile(sending, fd, address(position.putLong(0, 0)), 1));
    }

    @Test
    void nonsenseIsRefused(@TempDir Path dir) {
        assertErrno(Errno.ENOENT, kernel().open(address(zeroTerminated(dir.resolve("none"))), 0, 0));
        assertErrno(Errno.EFAULT, kernel().open(1, 0, 0));
        assertErrno(Errno.EISDIR, kernel().open(address(zeroTerminated(dir)), FileFlags.O_WRONLY, 0));
        assertErrno(Errno.EINVAL, kernel().pipe2(address(ends), FileFlags.O_CREAT));
        assertErrno(Errno.EFAULT, kernel().pipe2(1, 0));
        assertErrno(Errno.ENOENT, kernel().mkfifo(address(zeroTerminated(dir.resolve("none/fifo"))), FOR_ALL));
    }

    private int[] pipe(int flags) {
        good(kernel().pipe2(address(ends), flags));
        int[] pipe = {opened(ends.getInt(0)), opened(ends.getInt(Integer.BYTES))};
        assertTrue(pipe[0] != pipe[1]);
        return pipe;
    }

    private int open(Path path, int flags, int mode) {
        return opened(kernel().open(address(zeroTerminated(path)), flags, mode));
    }
}
