package org.cabrank.bench.run;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.affinity.CpuList;

/** A child process with a protocol of lines on its standard streams. Closing kills the child. */
public final class Child implements AutoCloseable {

    private static final int LOG_LINES_MAX = 20;
    private static final int END_TIMEOUT_S = 5;
    /** If standard error is empty, the bench waits for this time, because a line may still arrive. */
    private static final int FIRST_WORDS_TIMEOUT_MS = 250;

    private static final long STEP_NS = 1_000_000_000L;
    private static final long LOOK_NS = 1_000_000;
    private static final String END = new String("end");

    private final String name;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> log = new ArrayDeque<>();
    private final Thread logReader;

    Child(String name, List<String> command, Pinning pinning, CpuList cpus, Children children) throws IOException {
        this(name, new ProcessBuilder(command), pinning, cpus, children);
    }

    Child(String name, ProcessBuilder command, Pinning pinning, CpuList cpus, Children children) throws IOException {
        this.name = name;
        process = pinning.start(command, cpus);
        children.add(process);
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        read(process.getInputStream(), answers::add, "out").start();
        logReader = read(process.getErrorStream(), this::keep, "err");
        logReader.start();
    }

    private interface Lines {
        void add(String line);
    }

    private Thread read(InputStream stream, Lines lines, String what) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader text =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = text.readLine(); line != null; line = text.readLine()) {
                            lines.add(line);
                        }
                    } catch (IOException closed) {
                        // Killing the process closes the stream, which counts as the end of the output.
                        keep("(reading its " + what + " ended: " + closed.getMessage() + ")");
                    }
                    if (what.equals("out")) {
                        answers.add(END);
                    }
                },
                name + "-" + what);
        reader.setDaemon(true);
        return reader;
    }

    private void keep(String line) {
        synchronized (log) {
            log.add(line);
            if (log.size() > LOG_LINES_MAX) {
                log.remove();
            }
            log.notifyAll();
        }
    }

    public long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    public void send(String command) throws ChildFailedException {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException closed) {
            throw failed("ended before '" + command + "'");
        }
    }

    /** Awaits a line and removes {@code prefix}. Fails if the line has no such prefix or does not arrive in time. */
    public String await(String prefix, long timeoutNs) throws ChildFailedException, InterruptedException {
        String line = next(timeoutNs);
        if (line == null) {
            throw failed("did not say '" + prefix.strip() + "' within " + timeoutNs / 1_000_000_000L + " s");
        }
        if (line == END) {
            process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS);
            throw failed("ended" + (process.isAlive() ? "" : " with exit status " + process.exitValue()));
        }
        if (!line.startsWith(prefix)) {
            throw failed("said '" + line + "' instead of '" + prefix.strip() + "'");
        }
        return line.substring(prefix.length());
    }

    /** Waits in steps of at most 1 s. If the user stops the bench (Ctrl-Z), the stopped time does not count. */
    private String next(long timeoutNs) throws InterruptedException {
        long stepNs = Math.min(timeoutNs, STEP_NS);
        String line = answers.poll(stepNs, TimeUnit.NANOSECONDS);
        for (long waitedNs = stepNs; line == null && waitedNs < timeoutNs; waitedNs += stepNs) {
            line = answers.poll(stepNs, TimeUnit.NANOSECONDS);
        }
        return line;
    }

    ChildFailedException failed(String what) {
        return new ChildFailedException(name + " " + what, logTail());
    }

    String logTail() {
        try {
            awaitLog();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    private void awaitLog() throws InterruptedException {
        if (!process.isAlive()) {
            logReader.join(TimeUnit.SECONDS.toMillis(END_TIMEOUT_S));
            return;
        }
        synchronized (log) {
            if (log.isEmpty()) {
                log.wait(FIRST_WORDS_TIMEOUT_MS);
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
