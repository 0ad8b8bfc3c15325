package org.cabrank.bench.end;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.Cabrank;
import org.cabrank.bench.text.HostPort;

/** {@code cabrank serve} in a process of its own, as a user starts it. */
final class ServeProcess implements AutoCloseable {

    private static final String LISTENING = "listening on ";
    private static final String ENDING = "ending: ";
    private static final String IGNORED_SIGNALS = "SigIgn:";
    private static final int SIGINT = 2;
    private static final int FFM_SINCE = 22;
    private static final int END_TIMEOUT_S = 30;

    private final Process process;
    private final Path errors;
    private final BufferedReader out;

    private ServeProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts {@code cabrank serve} with {@code arguments} on {@code kernel}, null for the JVM's own choice. */
    static ServeProcess start(String kernel, String... arguments) throws IOException {
        return startUnder(List.of(), kernel, arguments);
    }

    /** As {@link #start}, by a command that changes something and then becomes the server: so its pid is the server's. */
    static ServeProcess startUnder(List<String> changed, String kernel, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(changed);
        if (interruptIsIgnored()) {
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xshare:auto");
        // Nothing is measured here, and the quick compiler saves a third of the CPU time of a start.
        command.add("-XX:TieredStopAtLevel=1");
        if (Runtime.version().feature() >= FFM_SINCE) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        if (kernel != null) {
            command.add("-Dcabrank.kernel=" + kernel);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Cabrank.class.getName(), "serve"));
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile("cabrank-serve", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new ServeProcess(process, errors);
    }

    /**
     * A build that a script has put into the background inherits an ignored SIGINT, hands it down, and a JVM leaves an
     * ignored signal ignored: the server would rightly not end.
     */
    private static boolean interruptIsIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(IGNORED_SIGNALS))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status does not say which signals are ignored"));
        long mask = Long.parseUnsignedLong(
                ignored.substring(IGNORED_SIGNALS.length()).trim(), 16);
        return (mask & 1L << SIGINT - 1) != 0;
    }

    /** Waits for the line that says that it is ready; the address in it. */
    HostPort address() throws IOException {
        String line = out.readLine();
        if (line == null || !line.startsWith(LISTENING)) {
            throw new IOException("the server said '" + line + "', and on standard error: " + errors());
        }
        return HostPort.parse(line.substring(LISTENING.length(), line.indexOf(' ', LISTENING.length())));
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    long pid() {
        return process.pid();
    }

    /** Sends SIGINT. */
    void interrupt() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end. */
    int exitStatus() throws IOException, InterruptedException {
        if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new IOException("the server is still there after " + END_TIMEOUT_S + " s: " + errors());
        }
        return process.exitValue();
    }

    /** Waits until it has said that it is ending: the first signal has arrived. */
    void awaitEnding() throws IOException {
        while (!Files.readString(errors).contains(ENDING)) {
            Thread.onSpinWait();
        }
    }

    /** What it has written to standard error so far, without the lines that say that all is well. */
    String errors() throws IOException {
        return String.join(
                "\n",
                Files.readAllLines(errors).stream()
                        .filter(line -> !line.contains("calling the kernel through") && !line.startsWith(ENDING))
                        .toList());
    }

    /** For assertion messages. */
    String errorsOrWhyNot() {
        try {
            return errors();
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /** Kills it if it is still there, and waits until it is gone. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        out.close();
        Files.delete(errors);
    }
}
