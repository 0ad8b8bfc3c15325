package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Commands that take rights and resources from the command behind them, whose process id stays. */
final class Confinement {
    /** Traditionally "nobody". */
    static final int USER = 65_534;

    /** Makes all file systems of a mount namespace read-only, except those of the kernel and of devices, as containers do. */
    private static final String READ_ONLY = """
            while read -r _ _ _ _ point _; do
                case $point in /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) continue ;; esac
                mount -o remount,bind,ro "$point" || exit
            done </proc/self/mountinfo
            exec "$@"
            """;

    /** The modules and libraries that a server needs: what is on the class path for tests alone would cost descriptors. */
    private static final String NEEDED = "(cabrank|picocli|HdrHistogram|jna|jctools).*\\.jar";

    private static final String FOR_TESTS = ".*(-tests\\.jar|/test-classes)";

    private Confinement() {}

    /** An ordinary user without capabilities and without groups, who can gain none. */
    static List<String> ordinaryUser() {
        List<String> command = new ArrayList<>(List.of("setpriv"));
        if (isRoot()) {
            command.addAll(List.of("--reuid", "" + USER, "--regid", "" + USER, "--clear-groups"));
            command.addAll(List.of("--bounding-set", "-all"));
        }
        command.addAll(List.of("--inh-caps", "-all", "--no-new-privs"));
        return command;
    }

    /** A file system that cannot be written to. */
    static List<String> readOnlyRoot() {
        return List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY, "sh");
    }

    /** A read-only file system, and an empty one in memory at {@code temporary}, mounted with {@code options}. */
    static List<String> readOnlyRootWith(Path temporary, String options) {
        String mount = "mount -t tmpfs -o " + options + " tmpfs '" + temporary + "'\n";
        return List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                READ_ONLY.replace("exec", mount + "exec"),
                "sh");
    }

    /** At most so many open descriptors. */
    static List<String> descriptors(int most) {
        return List.of("prlimit", "--nofile=" + most + ":" + most);
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Skips the test if the command cannot run here, with what was said. */
    static void assumeWorks(List<String> confined, String... trial) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(confined);
        command.addAll(trial.length == 0 ? List.of("true") : List.of(trial));
        String refusal = "";
        try {
            Process tried =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (tried.waitFor() != 0) {
                refusal = confined.get(0) + " is refused here: " + said;
            }
        } catch (IOException missing) {
            refusal = missing.getMessage();
        }
        assumeTrue(refusal.isEmpty(), refusal);
    }

    /** Fails if the command succeeds: it confines nothing then. */
    static void assertFails(List<String> confined, String... trial) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(confined);
        command.addAll(List.of(trial));
        Process tried = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertNotEquals(0, tried.waitFor(), () -> String.join(" ", trial) + " succeeds");
    }

    /**
     * Copies what a server needs of this JVM's class path to a place that all users can read.
     *
     * @return the class path there
     */
    static String copiedClassPath(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (entry.matches(FOR_TESTS)
                    || !Files.isDirectory(path)
                            && !path.getFileName().toString().matches(NEEDED)) {
                continue;
            }
            Path copy = directory.resolve(copies.size() + "-" + path.getFileName());
            copy(path, copy);
            copies.add(copy.toString());
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                boolean folder = Files.isDirectory(file);
                Files.copy(file, target);
                Files.setPosixFilePermissions(
                        target, PosixFilePermissions.fromString(folder ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
