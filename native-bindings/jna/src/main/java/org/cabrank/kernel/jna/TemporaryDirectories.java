package org.cabrank.kernel.jna;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.cabrank.kernel.KernelUnavailableException;

/** Directories for JNA's native library. They are checked before JNA is loaded, because JNA logs a stack trace if none can be used. */
final class TemporaryDirectories {
    static final String REMEDY =
            "mount a temporary directory that is writable and not noexec (docker run --tmpfs /tmp:exec),"
                    + " name one by -Djna.tmpdir=DIRECTORY, or run on a JDK of 22 or later, which needs no JNA";

    private TemporaryDirectories() {}

    /** Throws with the remedy if JNA must unpack its library and cannot write to any directory. */
    static void check(Properties properties, Map<String, String> environment) throws KernelUnavailableException {
        if (properties.getProperty("jna.boot.library.path") != null
                || Boolean.parseBoolean(properties.getProperty("jna.nounpack"))) {
            return;
        }
        List<File> directories = candidates(properties, environment);
        if (directories.stream().noneMatch(directory -> isWritable(directory))) {
            throw new KernelUnavailableException("JNA cannot unpack its library: no directory for it is writable ("
                    + directories.stream().map(File::getPath).collect(Collectors.joining(", ")) + "); " + REMEDY);
        }
    }

    /** Directories that JNA tries. It uses the first that it can write to. */
    private static List<File> candidates(Properties properties, Map<String, String> environment) {
        String named = properties.getProperty("jna.tmpdir");
        if (named != null) {
            return List.of(new File(named));
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        File caches = cache.isBlank() ? new File(properties.getProperty("user.home"), ".cache") : new File(cache);
        return List.of(new File(caches, "JNA/temp"), new File(properties.getProperty("java.io.tmpdir")));
    }

    /** Returns true if JNA can write to the directory. JNA creates a missing directory and its parents. */
    private static boolean isWritable(File directory) {
        File existing = directory.getAbsoluteFile();
        while (!existing.exists() && existing.getParentFile() != null) {
            existing = existing.getParentFile();
        }
        return existing.isDirectory() && existing.canWrite();
    }
}
