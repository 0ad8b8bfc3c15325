package org.cabrank.socket.transport;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.Paths;

/** The descriptor of a file. Thread-safe. */
public final class OpenFile {
    /** Mode of created files, like that of the JDK: read and write for all, without the bits of the umask. */
    private static final int MODE = 0_666;

    private final Kernel kernel;
    private final Path path;
    private final int fd;

    /** False if the kernel has refused to send this file by sendfile(2). */
    private volatile boolean sendable = true;

    private OpenFile(Kernel kernel, Path path, int fd) {
        this.kernel = kernel;
        this.path = path;
        this.fd = fd;
    }

    /** A file that has a descriptor. */
    public interface Holder {
        OpenFile openFile();
    }

    static OpenFile open(Kernel kernel, Path path, Set<OpenOption> options) throws IOException {
        ByteBuffer name = Paths.zeroTerminated(path);
        int fd;
        do {
            fd = kernel.open(kernel.addressOf(name), flags(options), MODE);
        } while (fd == -Errno.EINTR);
        Reference.reachabilityFence(name);
        return new OpenFile(kernel, path, Errno.check("open of " + path, fd));
    }

    private static int flags(Set<OpenOption> options) {
        boolean reads = options.contains(StandardOpenOption.READ);
        boolean appends = options.contains(StandardOpenOption.APPEND);
        boolean writes = appends || options.contains(StandardOpenOption.WRITE);
        int flags = FileFlags.O_CLOEXEC;
        flags |= !writes ? FileFlags.O_RDONLY : reads ? FileFlags.O_RDWR : FileFlags.O_WRONLY;
        flags |= appends ? FileFlags.O_APPEND : 0;
        if (writes) { // the JDK ignores these options for a file that is only read
            flags |= options.contains(StandardOpenOption.TRUNCATE_EXISTING) ? FileFlags.O_TRUNC : 0;
            flags |= options.contains(StandardOpenOption.CREATE) ? FileFlags.O_CREAT : 0;
            flags |= options.contains(StandardOpenOption.CREATE_NEW) ? FileFlags.O_CREAT | FileFlags.O_EXCL : 0;
        }
        flags |= options.contains(StandardOpenOption.SYNC) ? FileFlags.O_SYNC : 0;
        flags |= options.contains(StandardOpenOption.DSYNC) ? FileFlags.O_DSYNC : 0;
        return flags;
    }

    public Kernel kernel() {
        return kernel;
    }

    public Path path() {
        return path;
    }

    public int fd() {
        return fd;
    }

    public boolean isSendable() {
        return sendable;
    }

    public void notSendable() {
        sendable = false;
    }

    /** Reads into the remaining space of a direct buffer without moving its position. Blocks. Returns the number of bytes; 0 at the end. */
    public int read(ByteBuffer into, long position) throws IOException {
        int result;
        do {
            result = kernel.pread(fd, addressOf(into), into.remaining(), position);
        } while (isToBeRepeated(result));
        Reference.reachabilityFence(into);
        return Errno.check("reading " + path, result);
    }

    /** Writes the remaining bytes of a direct buffer without moving its position. Blocks. Returns the number of bytes written. */
    int write(ByteBuffer data, long position) throws IOException {
        int result;
        do {
            result = kernel.pwrite(fd, addressOf(data), data.remaining(), position);
        } while (isToBeRepeated(result));
        Reference.reachabilityFence(data);
        return Errno.check("writing " + path, result);
    }

    void sync(boolean dataOnly) throws IOException {
        int result;
        do {
            result = dataOnly ? kernel.fdatasync(fd) : kernel.fsync(fd);
        } while (isToBeRepeated(result));
        Errno.check("syncing " + path, result);
    }

    private static boolean isToBeRepeated(int result) {
        return result == -Errno.EINTR || result == -Errno.EAGAIN;
    }

    /** Returns the address of the byte at the buffer's position. The caller keeps the buffer reachable. */
    private long addressOf(ByteBuffer direct) {
        return kernel.addressOf(direct.duplicate().clear()) + direct.position();
    }

    public void close() throws IOException {
        int result = kernel.close(fd);
        if (result < 0 && result != -Errno.EINTR) {
            throw Errno.exception("closing " + path, result);
        }
    }
}
