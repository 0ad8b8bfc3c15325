package org.cabrank.bench.end;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.opentest4j.TestAbortedException;

/** A shell on a terminal of its own, as {@code script} (util-linux) makes one: what it shows is read, keys are pressed. */
final class PseudoTerminal implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final int END_TIMEOUT_S = 90;

    private final Process process;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final Thread reader;

    private PseudoTerminal(Process process) {
        this.process = process;
        reader = new Thread(() -> read(process.getInputStream()), "pseudo-terminal");
        reader.start();
    }

    /** Runs {@code commands}, which sh understands, with {@code term} as the kind of terminal, in a window of that size. */
    static PseudoTerminal start(String term, int columns, int rows, String commands) throws IOException {
        if (!Files.isExecutable(SCRIPT)) {
            throw new TestAbortedException(SCRIPT + " is not there: install bsdutils (Debian) or util-linux");
        }
        // Ctrl-C goes to the shell too, which is to survive it; a trap, unlike an ignored signal, is not inherited.
        String sized = "trap : INT; stty cols " + columns + " rows " + rows + "; " + commands;
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "-qec", sized, "/dev/null");
        builder.environment().put("TERM", term);
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("NO_COLOR");
        return new PseudoTerminal(builder.redirectErrorStream(true).start());
    }

    /** For sh: a command and its arguments as they are. */
    static String quoted(List<String> command) {
        return command.stream()
                .map(argument -> "'" + argument.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private void read(InputStream from) {
        byte[] bytes = new byte[8192];
        try {
            for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
                synchronized (shown) {
                    shown.write(bytes, 0, count);
                    shown.notifyAll();
                }
            }
        } catch (IOException closed) {
            System.err.println("the terminal was closed while it was read: " + closed.getMessage());
        }
    }

    /** All that the terminal has been sent, escape sequences included. */
    String shown() {
        synchronized (shown) {
            return shown.toString(StandardCharsets.UTF_8);
        }
    }

    /** Waits until all that was sent fulfils {@code wanted}, at most {@link #PATIENCE}. */
    String awaitShown(Predicate<String> wanted) throws InterruptedException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        synchronized (shown) {
            while (!wanted.test(shown())) {
                if (!reader.isAlive()) {
                    throw new AssertionError("the terminal's shell has ended, and had shown: " + shown());
                }
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new AssertionError("not shown within " + PATIENCE + ": " + shown());
                }
                shown.wait(100);
            }
            return shown();
        }
    }

    void press(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** The process that runs on it and has {@code argument} among its own. */
    ProcessHandle running(String argument) {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/java"))
                .filter(child -> arguments(child).contains(argument))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process has " + argument));
    }

    /** ProcessHandle gives none at all where they are longer than a page, as a class path may be. */
    private static List<String> arguments(ProcessHandle child) {
        try {
            return List.of(Files.readString(Path.of("/proc", Long.toString(child.pid()), "cmdline"))
                    .split("\0"));
        } catch (IOException ended) {
            return List.of();
        }
    }

    /** Waits for the end of the shell; all that was shown. */
    String awaitEnd() throws InterruptedException {
        if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new AssertionError("still there after " + END_TIMEOUT_S + " s: " + shown());
        }
        reader.join();
        return shown();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
