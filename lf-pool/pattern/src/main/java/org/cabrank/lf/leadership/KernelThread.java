package org.cabrank.lf.leadership;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel says of a thread (proc_pid_stat(5)). Java knows whether a thread sleeps, or waits for another; one that waits
 * inside of a system call is RUNNABLE to it.
 */
final class KernelThread {
    /** Of whom nothing can be said. */
    static final KernelThread UNKNOWN = new KernelThread(null);

    private static final Path PROC = Path.of("/proc");

    /** The number, the name, which has 15 bytes at most, and the state. */
    private static final int BYTES = 64;

    private final String stat;

    private KernelThread(String stat) {
        this.stat = stat;
    }

    /** The calling thread. */
    static KernelThread current() {
        try {
            Path own = Files.readSymbolicLink(PROC.resolve("thread-self"));
            return new KernelThread(PROC.resolve(own).resolve("stat").toString());
        } catch (IOException | RuntimeException notThere) { // no /proc, or not Linux's
            return UNKNOWN;
        }
    }

    /**
     * Any thread: whether it waits for something else than a processor. Opens and reads a file, which takes some microseconds.
     *
     * @return true also when it cannot be told
     */
    boolean isBlocked() {
        if (stat == null) {
            return true;
        }
        try (FileInputStream in = new FileInputStream(stat)) {
            byte[] read = new byte[BYTES];
            return isBlocked(read, in.read(read));
        } catch (IOException ended) { // it has, or no descriptor is left
            return true;
        }
    }

    /** {@code NUMBER (NAME) STATE ...}, and a name may be anything. */
    static boolean isBlocked(byte[] stat, int count) {
        String line = new String(stat, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        int state = line.lastIndexOf(") ") + 2;
        return state < 2 || state >= line.length() || line.charAt(state) != 'R';
    }
}
