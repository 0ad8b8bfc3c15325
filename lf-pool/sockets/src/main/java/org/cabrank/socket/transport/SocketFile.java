package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.SocketOps;

/** The file of a bound Unix socket. The file remains if a process ends without removing it. */
final class SocketFile {
    private static final int TYPE_MASK = 0170000; // S_IFMT, S_IFSOCK of inode(7)
    private static final int TYPE_SOCKET = 0140000;

    /** Maximum number of checks by a starting server while another server replaces the same file, which takes some microseconds. */
    private static final int LOOKS_MAX = 1_000;

    private static final long PAUSE_NS = 1_000_000;

    private SocketFile() {}

    /**
     * Binds a socket. Replaces a stale file that no socket is bound to. Servers that start together replace the file one after another.
     * Returns 0 or {@code -errno}, which is {@code EADDRINUSE} if the file is in use or is no socket.
     */
    static int bind(Kernel kernel, SocketOps sockets, int fd, SocketAddress wanted) {
        int result = sockets.bind(fd, wanted);
        for (int look = 0; look < LOOKS_MAX && result == -Errno.EADDRINUSE; look++) {
            Object stale = keyIfStale(kernel, sockets, wanted);
            if (stale == null) {
                return result;
            }
            result = replace(kernel, sockets, fd, wanted, stale);
        }
        return result;
    }

    /** Removes the file {@code stale} and binds. If another server is binding at this moment, waits for that server for a short time. */
    private static int replace(Kernel kernel, SocketOps sockets, int fd, SocketAddress wanted, Object stale) {
        // An abstract name serves as a lock. Only one starting server can bind the name. If this server dies, the
        // kernel frees the name.
        AbstractUnixAddress lock = new AbstractUnixAddress("cabrank-replaces-" + stale);
        int lockFd = sockets.streamSocket(lock);
        if (lockFd < 0) {
            return lockFd;
        }
        try {
            if (sockets.bind(lockFd, lock) < 0) {
                LockSupport.parkNanos(PAUSE_NS);
                return -Errno.EADDRINUSE;
            }
            if (stale.equals(keyIfStale(kernel, sockets, wanted)) && !remove(wanted)) {
                return -Errno.EADDRINUSE;
            }
            return sockets.bind(fd, wanted);
        } finally {
            kernel.close(lockFd);
        }
    }

    private static boolean remove(SocketAddress address) {
        try {
            return Files.deleteIfExists(path(address));
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * Returns the {@link #key} of a file that no socket is bound to, or null. The probe is a datagram socket. If a stream socket is bound,
     * even before it listens, the connect fails with EPROTOTYPE, and the server does not see the probe.
     */
    private static Object keyIfStale(Kernel kernel, SocketOps sockets, SocketAddress address) {
        Object key = key(address);
        if (key == null || !isSocket(path(address))) {
            return null;
        }
        int probe = sockets.datagramSocket(address);
        if (probe < 0) {
            return null;
        }
        try {
            return sockets.connect(probe, address) == -Errno.ECONNREFUSED ? key : null;
        } finally {
            kernel.close(probe);
        }
    }

    private static boolean isSocket(Path path) {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & TYPE_MASK) == TYPE_SOCKET;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Returns device and inode of the file that a Unix address has now; null if there is none. */
    static Object key(SocketAddress address) {
        Path path = path(address);
        if (path == null) {
            return null;
        }
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    private static Path path(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix
                        && !unix.getPath().toString().isEmpty()
                ? unix.getPath()
                : null;
    }

    /** Removes the file, unless another server has replaced it and bound its own socket to the path. */
    static void remove(SocketAddress address, Object key) {
        if (key != null && key.equals(key(address))) {
            Path path = path(address);
            try {
                Files.deleteIfExists(path);
            } catch (IOException left) {
                System.getLogger(ListeningSocket.class.getName())
                        .log(System.Logger.Level.WARNING, "the socket file " + path + " is left behind", left);
            }
        }
    }
}
