package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Directory for compiled programs. Other users must not write to it, because the bench runs the programs. */
@FunctionalInterface
interface ProgramDirectory {

    /** Creates the directory if necessary. If it cannot be used, the exception's message has the reason. */
    Path path() throws IOException;

    /** Returns a directory in the user's cache, and one that is deleted when this process ends. */
    static List<ProgramDirectory> ofThisUser() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path home = cache != null && cache.startsWith("/")
                ? Path.of(cache)
                : Path.of(System.getProperty("user.home"), ".cache");
        return List.of(() -> kept(home.resolve("cabrank")), ProgramDirectory::temporary);
    }

    /** Creates {@code directory} if necessary. Fails if it belongs to another user or if another user may write to it. */
    static Path kept(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(directory + " can be written to by others");
        }
        // A new file belongs to this user, so its owner identifies the user.
        Path own = Files.createTempFile(directory, "owner", null);
        try {
            if (!Files.getOwner(own).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))) {
                throw new IOException(directory + " belongs to somebody else");
            }
        } finally {
            Files.delete(own);
        }
        return directory;
    }

    private static Path temporary() throws IOException {
        return TemporaryPrograms.DIRECTORY.path();
    }
}
