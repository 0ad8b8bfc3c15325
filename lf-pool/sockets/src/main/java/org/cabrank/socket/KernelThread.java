package org.cabrank.socket;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Reads the state of a thread from the kernel (proc_pid_stat(5)), because Java reports a thread inside a system call as RUNNABLE. */
final class KernelThread implements BooleanSupplier {
    static final KernelThread UNKNOWN = new KernelThread(null);

    private static final Path PROC = Path.of("/proc");

    private static final int BYTES = 64;

    private final String stat;

    private KernelThread(String stat) {
        this.stat = stat;
    }

    /** Returns the calling thread, or {@link #UNKNOWN} if {@code /proc} cannot be read. */
    static KernelThread current() {
        try {
            Path own = Files.readSymbolicLink(PROC.resolve("thread-self"));
            return new KernelThread(PROC.resolve(own).resolve("stat").toString());
        } catch (IOException | RuntimeException absent) {
            return UNKNOWN;
        }
    }

    /** Returns true if the thread is blocked (neither running nor runnable), or if its state is unknown. Takes some microseconds. */
    @Override
    public boolean getAsBoolean() {
        if (stat == null) {
            return true;
        }
        try (FileInputStream in = new FileInputStream(stat)) {
            byte[] read = new byte[BYTES];
            return isBlocked(read, in.read(read));
        } catch (IOException ended) { // the thread has ended, or no descriptor is left
            return true;
        }
    }

    /** Parses {@code NUMBER (NAME) STATE ...}. The name has up to 15 bytes of any kind. */
    static boolean isBlocked(byte[] stat, int count) {
        String line = new String(stat, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        int state = line.lastIndexOf(") ") + 2;
        return state < 2 || state >= line.length() || line.charAt(state) != 'R';
    }
}
