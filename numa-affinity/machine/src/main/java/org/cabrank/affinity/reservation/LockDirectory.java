package org.cabrank.affinity.reservation;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;

/** The directory of the lock files. All users can write to it, but only the owner of a file can remove the file (mode 1777, like /tmp). */
final class LockDirectory {
    private static final int MODE_FOR_ALL = 01777;

    private static final int STICKY = 01000;

    private static final int TYPE_MASK = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int ROOT = 0;

    private LockDirectory() {}

    /**
     * Creates the directory if it is missing. Checks that it is sticky, or that this user or root owns it, so that other users cannot
     * exchange its files. The owner of a sticky directory can exchange the files, and is trusted. Returns the path without symbolic links.
     */
    static Path prepare(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            // The JDK's view "unix" has attributes that POSIX permissions lack, such as the sticky bit.
            Files.setAttribute(directory, "unix:mode", MODE_FOR_ALL, LinkOption.NOFOLLOW_LINKS);
        } catch (FileAlreadyExistsException there) {
            check(directory);
        }
        if (!Files.isWritable(directory)) {
            throw new AccessDeniedException(directory.toString(), null, "it is not writable");
        }
        return directory.toRealPath();
    }

    private static void check(Path directory) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(directory, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) attributes.get("mode");
        int owner = (Integer) attributes.get("uid");
        if ((mode & TYPE_MASK) != DIRECTORY) {
            throw new NotDirectoryException(directory.toString());
        }
        boolean mine = owner == ROOT || owner == (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!mine && (mode & STICKY) == 0) {
            throw new AccessDeniedException(
                    directory.toString(),
                    null,
                    "it belongs to user " + owner + ", and files of others are not safe in it (no sticky bit)");
        }
    }
}
