package org.cabrank.iouring;

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
import org.cabrank.stream.Connection;
import org.cabrank.stream.transport.FileOperation;
import org.cabrank.stream.transport.OffloadedFile;
import org.cabrank.stream.transport.StreamConnection;

/** A file whose requests go to the ring of the connection that makes them. */
final class RingFile extends OffloadedFile {
    /** Mode of created files, like that of the JDK: read and write for all, less the umask. */
    private static final int MODE = 0_666;

    private final Kernel kernel;
    private final int fd;

    private RingFile(Kernel kernel, Path path, int fd) {
        super(path);
        this.kernel = kernel;
        this.fd = fd;
    }

    static RingFile open(Kernel kernel, Path path, Set<OpenOption> options) throws IOException {
        ByteBuffer name = Paths.zeroTerminated(path);
        int fd;
        do {
            fd = kernel.open(kernel.addressOf(name), flags(options), MODE);
        } while (fd == -Errno.EINTR);
        Reference.reachabilityFence(name);
        return new RingFile(kernel, path, Errno.check("open of " + path, fd));
    }

    private static int flags(Set<OpenOption> options) {
        boolean reads = options.contains(StandardOpenOption.READ);
        boolean appends = options.contains(StandardOpenOption.APPEND);
        boolean writes = appends || options.contains(StandardOpenOption.WRITE);
        int flags = FileFlags.O_CLOEXEC;
        flags |= !writes ? FileFlags.O_RDONLY : reads ? FileFlags.O_RDWR : FileFlags.O_WRONLY;
        flags |= appends ? FileFlags.O_APPEND : 0;
        if (writes) { // the JDK ignores these without
            flags |= options.contains(StandardOpenOption.TRUNCATE_EXISTING) ? FileFlags.O_TRUNC : 0;
            flags |= options.contains(StandardOpenOption.CREATE) ? FileFlags.O_CREAT : 0;
            flags |= options.contains(StandardOpenOption.CREATE_NEW) ? FileFlags.O_CREAT | FileFlags.O_EXCL : 0;
        }
        flags |= options.contains(StandardOpenOption.SYNC) ? FileFlags.O_SYNC : 0;
        flags |= options.contains(StandardOpenOption.DSYNC) ? FileFlags.O_DSYNC : 0;
        return flags;
    }

    @Override
    protected void start(Connection connection, FileOperation operation) {
        if (!(connection instanceof StreamConnection asking) || !(asking.io() instanceof RingIo io)) {
            throw new IllegalArgumentException(
                    this + " is for connections over io_uring, which " + connection + " is not");
        }
        io.newFileRequest(fd, operation).start();
    }

    @Override
    protected void closeDescriptor() throws IOException {
        int result = kernel.close(fd);
        if (result < 0 && result != -Errno.EINTR) {
            throw Errno.exception("closing " + path(), result);
        }
    }
}
