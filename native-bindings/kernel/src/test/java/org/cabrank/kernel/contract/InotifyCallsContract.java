package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Inotify;
import org.cabrank.kernel.layout.InotifyEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** inotify: watches and their events. */
public abstract class InotifyCallsContract extends KernelContract {
    private record Told(int watch, int mask, int cookie, String name) {}

    @TempDir
    Path dir;

    private int notifying() {
        return opened(kernel().inotifyInit1(Inotify.IN_NONBLOCK | Inotify.IN_CLOEXEC));
    }

    private int watch(int fd, Path path, int mask) {
        return good(kernel().inotifyAddWatch(fd, address(zeroTerminated(path)), mask));
    }

    private List<Told> read(int fd) {
        ByteBuffer buffer = memory(4096);
        int end = good(kernel().read(fd, address(buffer), buffer.capacity()));
        List<Told> told = new ArrayList<>();
        for (int at = 0; at < end; ) {
            int length = buffer.getInt(at + InotifyEvent.LEN_OFFSET);
            ByteBuffer name = buffer.slice(at + InotifyEvent.NAME_OFFSET, length);
            told.add(new Told(
                    buffer.getInt(at + InotifyEvent.WD_OFFSET),
                    buffer.getInt(at + InotifyEvent.MASK_OFFSET),
                    buffer.getInt(at + InotifyEvent.COOKIE_OFFSET),
                    text(name, length).replace("\0", "")));
            at += InotifyEvent.SIZE_BYTES + length;
        }
        return told;
    }

    @Test
    void changesOfFilesInADirectoryAreReported() throws Exception {
        int fd = notifying();
        assertErrno(Errno.EAGAIN, kernel().read(fd, address(memory(4096)), 4096));
        int watch =
                watch(fd, dir, Inotify.IN_CREATE | Inotify.IN_MOVED_FROM | Inotify.IN_MOVED_TO | Inotify.IN_ONLYDIR);
        Files.createFile(dir.resolve("one"));
        Files.move(dir.resolve("one"), dir.resolve("other"));
        Files.createDirectory(dir.resolve("sub"));

        List<Told> told = read(fd);

        assertEquals(4, told.size());
        assertEquals(new Told(watch, Inotify.IN_CREATE, 0, "one"), told.get(0));
        int cookie = told.get(1).cookie;
        assertNotEquals(0, cookie);
        assertEquals(new Told(watch, Inotify.IN_MOVED_FROM, cookie, "one"), told.get(1));
        assertEquals(new Told(watch, Inotify.IN_MOVED_TO, cookie, "other"), told.get(2));
        assertEquals(new Told(watch, Inotify.IN_CREATE | Inotify.IN_ISDIR, 0, "sub"), told.get(3));
    }

    @Test
    void longestNameHasRoom() throws Exception {
        int fd = notifying();
        watch(fd, dir, Inotify.IN_CREATE);
        String name = "n".repeat(InotifyEvent.NAME_BYTES_MAX - 1);
        Files.createFile(dir.resolve(name));
        int room = InotifyEvent.SIZE_BYTES + InotifyEvent.NAME_BYTES_MAX;
        ByteBuffer buffer = memory(room);
        assertErrno(Errno.EINVAL, kernel().read(fd, address(buffer), room - 1));
        assertEquals(room, kernel().read(fd, address(buffer), room));
    }

    @Test
    void removedWatchIsReportedLast() {
        int fd = notifying();
        int watch = watch(fd, dir, Inotify.IN_CREATE);
        good(kernel().inotifyRmWatch(fd, watch));
        assertEquals(List.of(new Told(watch, Inotify.IN_IGNORED, 0, "")), read(fd));
        assertErrno(Errno.EINVAL, kernel().inotifyRmWatch(fd, watch));
    }

    @Test
    void secondWatchOfAFileIsTheFirst() {
        int fd = notifying();
        int watch = watch(fd, dir, Inotify.IN_CREATE);
        assertEquals(watch, watch(fd, dir, Inotify.IN_DELETE));
        assertErrno(
                Errno.EEXIST,
                kernel().inotifyAddWatch(fd, address(zeroTerminated(dir)), Inotify.IN_DELETE | Inotify.IN_MASK_CREATE));
    }

    @Test
    void nonsenseIsRefused() throws Exception {
        int fd = notifying();
        long path = address(zeroTerminated(dir));
        assertErrno(Errno.EINVAL, kernel().inotifyInit1(-1));
        assertErrno(Errno.EINVAL, kernel().inotifyAddWatch(fd, path, 0));
        assertErrno(Errno.EBADF, kernel().inotifyAddWatch(-1, path, Inotify.IN_CREATE));
        Path none = dir.resolve("none");
        assertErrno(Errno.ENOENT, kernel().inotifyAddWatch(fd, address(zeroTerminated(none)), Inotify.IN_CREATE));
        Path file = Files.createFile(dir.resolve("file"));
        assertErrno(
                Errno.ENOTDIR,
                kernel().inotifyAddWatch(fd, address(zeroTerminated(file)), Inotify.IN_CREATE | Inotify.IN_ONLYDIR));
        assertErrno(Errno.EBADF, kernel().inotifyRmWatch(-1, 1));
    }
}
