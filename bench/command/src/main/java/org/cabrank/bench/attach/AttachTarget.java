package org.cabrank.bench.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A process to attach to. Attaching sends SIGQUIT, which ends a process that does not catch it. {@link #check} refuses such a process. */
record AttachTarget(Path procfs, long pid) {
    /** Bit of signal 3 in the masks of proc_pid_status(5). */
    private static final long SIGQUIT = 1L << 3 - 1;

    /** States of proc_pid_status(5) in which a process does not answer. */
    private static final String STOPPED = "Tt";

    private static final String LIBRARY = "libjvm.so";

    void check() throws IOException {
        if (pid == ProcessHandle.current().pid()) {
            throw new IOException("process " + pid + " is this command: name the process of the server");
        }
        Path directory = procfs.resolve(Long.toString(pid));
        String status = read(directory.resolve("status"))
                .orElseThrow(() -> new IOException("there is no process " + pid + ": look for the server with jps -l"));
        String own = read(procfs.resolve("self/status")).orElse("");
        String user = effectiveUser(status);
        String self = effectiveUser(own);
        if (!self.equals("0") && !self.equals(user)) {
            throw new IOException("process " + pid + " belongs to the user with the id " + user
                    + ": only that user and root may attach to it; begin the command with sudo -u '#" + user + "'");
        }
        if (!read(directory.resolve("maps")).orElse("").contains(LIBRARY)) {
            throw new IOException(
                    "process " + pid + " (" + field(status, "Name:") + ") is no JVM: look for the server with jps -l");
        }
        if (STOPPED.contains(field(status, "State:").substring(0, 1))) {
            throw new IOException(
                    "process " + pid + " is stopped by a signal or a debugger: let it continue with kill -CONT " + pid);
        }
        if ((Long.parseUnsignedLong(field(status, "SigCgt:"), 16) & SIGQUIT) == 0) {
            throw new IOException(
                    "JVM " + pid + " does not catch SIGQUIT, by which tools attach: it is still starting, or"
                            + " runs with -Xrs; try again, or start the server without that flag");
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** Returns the second of the four user ids of the status. */
    private static String effectiveUser(String status) {
        String[] ids = field(status, "Uid:").split("\\s+");
        return ids.length > 1 ? ids[1] : "";
    }

    private static String field(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("0");
    }
}
