package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A seccomp profile in the format of container runtimes, under which a process can run without a container. */
final class SeccompProfile {
    private static final Path FOLDER =
            Path.of("../../scripts/seccomp").toAbsolutePath().normalize();
    private static final Path RUN = FOLDER.resolve("run");

    private final Path run;
    private final Path file;

    private SeccompProfile(Path run, Path file) {
        this.run = run;
        this.file = file;
    }

    /** Returns the profile of this name of {@code scripts/seccomp}; skips the test if filters cannot be made here. */
    static SeccompProfile shipped(String name) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(RUN), "there is no checkout around this module");
        return available(FOLDER.resolve(name));
    }

    /** Returns the profile in the file; skips the test if filters cannot be made here. */
    static SeccompProfile in(Path file) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(RUN), "there is no checkout around this module");
        return available(file);
    }

    private static SeccompProfile available(Path file) throws IOException, InterruptedException {
        SeccompProfile profile = new SeccompProfile(RUN, file);
        String refusal = profile.run("true");
        assumeTrue(refusal.isEmpty(), () -> "no filter can be loaded here (needs python3 and libseccomp2): " + refusal);
        return profile;
    }

    /** Returns a copy in a directory that all users can read. */
    SeccompProfile copiedTo(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path copiedRun = Files.copy(run, directory.resolve("run"));
        Files.setPosixFilePermissions(copiedRun, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path copiedFile = Files.copy(file, directory.resolve("profile.json"));
        Files.setPosixFilePermissions(copiedFile, PosixFilePermissions.fromString("rw-r--r--"));
        return new SeccompProfile(copiedRun, copiedFile);
    }

    /** The beginning of a command line that runs its rest under the profile, with the same process id. */
    List<String> command() {
        return List.of(run.toString(), file.toString());
    }

    /** Runs a command under the profile. Returns what it has written, and that it has failed; empty: it has succeeded in silence. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(command());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        return status == 0 ? output : output + " (exit status " + status + ")";
    }
}
