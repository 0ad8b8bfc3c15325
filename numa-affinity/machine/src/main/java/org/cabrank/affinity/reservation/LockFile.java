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
 * A file whose lock is a reservation. The kernel releases the lock whenever the process ends. The file remains, but a file without a lock
 * means nothing. Used by one thread at a time.
 *
 * <p>All users can write to the directory, and may set traps for a process with more rights. Therefore this class follows no links, and
 * writes only to plain files with a single name. It creates only missing files, because the kernel may refuse to open files of other users
 * for creation (sysctl fs.protected_regular).
 *
 * <p>A lock of fcntl(2) belongs to the process. The process loses the lock when it closes <em>any</em> descriptor of the file. Therefore a
 * locked file must not be opened a second time. {@link #identity} does not open the file. If another class loader of this JVM has locked a
 * file, this class does not know it, and releases that lock by reading the file.
 */
final class LockFile implements AutoCloseable {
    private static final int OPEN_ATTEMPTS_MAX = 10;

    private static final Set<OpenOption> OPTIONS =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** A name may have several bytes for each character. */
    private static final int TEXT_BYTES_MAX = 1024;

    private static final int TYPE_MASK = 0170000;

    private static final int PLAIN_FILE = 0100000;

    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Returns the device and inode number, which are equal for all paths to a file. Does not open the file. Empty if it is missing. */
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

    boolean tryLock() throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException sameJvm) {
            return false; // another class loader of this JVM has locked the file
        }
    }

    void write(Holder holder) throws IOException {
        byte[] line = holder.line().getBytes(StandardCharsets.UTF_8);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(line), 0);
    }

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
