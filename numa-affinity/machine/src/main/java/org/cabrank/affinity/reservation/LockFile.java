package org.cabrank.affinity.reservation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file whose lock is somebody's reservation. The kernel gives the lock back when the process ends, however it ends; the file
 * stays, and means nothing by itself. One thread at a time uses it.
 *
 * <p>The directory belongs to everybody, so that whatever is found there may be somebody's trap for a process that may write
 * where they may not: a link is never followed, and what is no plain file of a single name is not written to. A file is opened
 * before it is created, because the kernel distrusts files of other users that are opened to be created (sysctl
 * fs.protected_regular).
 *
 * <p>A lock of fcntl(2) belongs to the process, and is lost as soon as the process closes <em>any</em> descriptor of the file:
 * a file that this process has locked must not be opened a second time: see {@link #identity}, which does not open it. What
 * code of another class loader has locked in the same JVM is not known here, and looking at it gives that lock away.
 */
final class LockFile implements AutoCloseable {
    private static final int OPEN_ATTEMPTS_MAX = 10;

    private static final Set<OpenOption> OPTIONS =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** Room for a pid and a name of several bytes for each character. */
    private static final int TEXT_BYTES_MAX = 1024;

    /** File type bits of a mode, and those of a plain file: inode(7). */
    private static final int TYPE_MASK = 0170000;

    private static final int PLAIN_FILE = 0100000;

    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Identity of the file at the path, equal for all paths that lead to it: device and inode number (inode(7)), read
     * without opening the file. Empty if there is no file.
     */
    static Optional<Identity> identity(Path path) throws IOException {
        try {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new Identity((Long) attributes.get("dev"), (Long) attributes.get("ino")));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    record Identity(long device, long inode) {}

    static LockFile open(Path path) throws IOException {
        for (int attempt = 0; attempt < OPEN_ATTEMPTS_MAX; attempt++) {
            try {
                return checked(path, FileChannel.open(path, OPTIONS));
            } catch (NoSuchFileException missing) {
                try {
                    return checked(path, create(path));
                } catch (FileAlreadyExistsException justMade) {
                    continue;
                }
            }
        }
        throw new FileSystemException(path.toString(), null, "somebody removes it again and again");
    }

    private static FileChannel create(Path path) throws IOException {
        Set<OpenOption> options = new HashSet<>(OPTIONS);
        options.add(StandardOpenOption.CREATE_NEW);
        FileChannel created = FileChannel.open(path, options);
        try {
            // The umask has removed the permissions that other users need.
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
            return created;
        } catch (IOException | RuntimeException refused) {
            created.close();
            throw refused;
        }
    }

    private static LockFile checked(Path path, FileChannel channel) throws IOException {
        try {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,nlink", LinkOption.NOFOLLOW_LINKS);
            boolean plain = ((Integer) attributes.get("mode") & TYPE_MASK) == PLAIN_FILE;
            if (!plain || (Integer) attributes.get("nlink") != 1) {
                throw new AccessDeniedException(
                        path.toString(), null, "it is no plain file of one name: remove it, and see who put it there");
            }
            return new LockFile(channel);
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    /** Returns true if the lock was acquired; it is held until {@link #close}. */
    boolean tryLock() throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException sameJvm) {
            return false; // this code is in this JVM twice, by two class loaders
        }
    }

    void write(Holder holder) throws IOException {
        byte[] line = holder.line().getBytes(StandardCharsets.UTF_8);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(line), 0);
    }

    /** Reads the text of the last process that has locked the file. */
    Holder read() throws IOException {
        ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES_MAX);
        channel.read(text, 0);
        return Holder.parse(new String(text.array(), 0, text.position(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
