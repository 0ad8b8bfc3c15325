package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.layout.SignalSet;

/** Signals that a descriptor can receive in a JVM, and the reasons why all others are refused. */
final class Signals {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** Names of signals (signal(7)) from 1 on. The numbers are equal on x86-64 and AArch64. */
    private static final String[] NAMES = {
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS"
    };

    private static final int SIGILL = 4;
    private static final int SIGTRAP = 5;
    private static final int SIGBUS = 7;
    private static final int SIGFPE = 8;
    private static final int SIGKILL = 9;
    private static final int SIGSEGV = 11;
    private static final int SIGSTOP = 19;

    /** First of the two real-time signals that the C library reserves for its threads (signal(7)). */
    private static final int RESERVED_FIRST = 32;

    private static final int RESERVED_LAST = 33;

    private static final int NAMED_MAX = 3;

    private Signals() {}

    static String name(int signal) {
        return signal >= 1 && signal <= NAMES.length ? "SIG" + NAMES[signal - 1] : "signal " + signal;
    }

    /** Refuses a signal that no program or no JVM can wait for. {@code suspendSetting} is {@code _JAVA_SR_SIGNUM}, or null. */
    static void requireAllowed(int signal, String suspendSetting) {
        String why = null;
        if (signal < 1 || signal > SignalSet.MAX_SIGNAL) {
            why = "there is no such signal, they are numbered from 1 to " + SignalSet.MAX_SIGNAL;
        } else if (signal == SIGKILL || signal == SIGSTOP) {
            why = "no program can block or catch it";
        } else if (signal >= RESERVED_FIRST && signal <= RESERVED_LAST) {
            why = "the C library uses it for its threads";
        } else if (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP) {
            why = "it is a fault of the thread that runs, and the JVM's code depends on handling it there";
        } else if (signal == suspendSignal(suspendSetting)) {
            why = "the JVM interrupts its threads with it (another can be set for that by the environment variable"
                    + " _JAVA_SR_SIGNUM, a number)";
        }
        if (why != null) {
            throw new IllegalArgumentException(name(signal) + " cannot be waited for: " + why);
        }
    }

    private static int suspendSignal(String setting) {
        try {
            return setting == null ? Events.SIGUSR2 : Integer.parseInt(setting.strip());
        } catch (NumberFormatException asTheJvmTakesIt) {
            return Events.SIGUSR2;
        }
    }

    static void requireBlocked(int signal) throws IOException {
        requireBlocked(signal, THREADS);
    }

    /** Refuses a signal that a thread does not block, because the thread could take it. {@code threads} is like {@code /proc/self/task}. */
    static void requireBlocked(int signal, Path threads) throws IOException {
        List<String> open = new ArrayList<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                String name = openThread(thread, signal);
                if (name != null) {
                    open.add(name);
                }
            }
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException(refusal(signal, open));
        }
    }

    /** Returns the name of a thread that does not block the signal, or null. */
    private static String openThread(Path thread, int signal) throws IOException {
        String name = "?";
        List<String> status;
        try {
            // The kernel cuts a name after 15 bytes, and then perhaps within a character.
            status = new String(Files.readAllBytes(thread.resolve("status")), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException ended) {
            if (Files.exists(thread)) {
                throw ended;
            }
            return null; // the thread has ended since the directory was read
        }
        for (String line : status) {
            if (line.startsWith("Name:")) {
                name = line.substring("Name:".length()).strip();
            } else if (line.startsWith("SigBlk:")) {
                long blocked = Long.parseUnsignedLong(
                        line.substring("SigBlk:".length()).strip(), 16);
                return (blocked >>> signal - 1 & 1) != 0 ? null : "'" + name + "' (tid " + thread.getFileName() + ")";
            }
        }
        throw new IOException(thread + "/status has no line SigBlk");
    }

    private static String refusal(int signal, List<String> open) {
        int more = open.size() - NAMED_MAX;
        String who = String.join(", ", open.subList(0, Math.min(NAMED_MAX, open.size())))
                + (more > 0 ? " and " + more + " more" : "");
        String argument = signal <= NAMES.length ? NAMES[signal - 1] : "" + signal;
        boolean usedByTheJvm = signal == Events.SIGHUP
                || signal == Events.SIGINT
                || signal == Events.SIGQUIT
                || signal == Events.SIGTERM;
        return name(signal) + " is not blocked by every thread of this process: " + who
                + " would be given it. Start the JVM with it blocked: env --block-signal=" + argument
                + (usedByTheJvm
                        ? " java -Xrs ... (-Xrs because the JVM itself uses this signal otherwise;"
                        : " java ... (")
                + (usedByTheJvm ? " " : "") + "env of coreutils 8.31 or later)";
    }
}
