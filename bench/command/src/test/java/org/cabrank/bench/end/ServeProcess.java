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
import java.util.concurrent.locks.LockSupport;
import org.cabrank.bench.text.HostPort;

/** {@code cabrank serve} in a process of its own, as a user starts it. */
final class ServeProcess implements AutoCloseable {

    private static final String LISTENING = "listening on ";
    /** The first backend serves; where another does, the reason is an answer. */
    private static final String CHOICE = "the first by rank, and it works here";

    private static final String ENDING = "ending: ";
    private static final String TOTALS = " INFO ServeRun: served ";
    private static final long END_TIMEOUT_S = Long.getLong("cabrank.patience.seconds", 90);
    private static final long LOOK_NS = 5_000_000;

    private final Process process;
    private final Path errors;
    private final BufferedReader out;
    private String readyLine;

    private ServeProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts {@code cabrank serve} with {@code arguments} on {@code kernel}, null for the JVM's own choice. */
    static ServeProcess start(String kernel, String... arguments) throws IOException {
        return startUnder(List.of(), kernel, arguments);
    }

    /**
     * As {@link #start}, by a command that changes its environment and then executes the server, so that its pid is the
     * server's.
     */
    static ServeProcess startUnder(List<String> changed, String kernel, String... arguments) throws IOException {
        return start(changed, command(kernel, arguments));
    }

    /** As {@link #startUnder}, from another class path than this JVM's. */
    static ServeProcess startFrom(String classPath, List<String> changed, String kernel, String... arguments)
            throws IOException {
        return start(changed, serve(JavaCommand.cabrankFrom(classPath, flags(kernel)), arguments));
    }

    private static ServeProcess start(List<String> changed, List<String> serve) throws IOException {
        List<String> command = new ArrayList<>(changed);
        command.addAll(serve);
        Path errors = Files.createTempFile("cabrank-serve", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new ServeProcess(process, errors);
    }

    /** The command line of a user, starting with {@code java}. */
    static List<String> command(String kernel, String... arguments) throws IOException {
        return serve(JavaCommand.cabrank(flags(kernel)), arguments);
    }

    private static List<String> serve(List<String> command, String... arguments) {
        command.add("serve");
        command.addAll(List.of(arguments));
        return command;
    }

    private static String[] flags(String kernel) {
        // Nothing is measured here, and the quick compiler saves a third of the CPU time of a start.
        List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        if (kernel != null) {
            flags.add("-Dcabrank.kernel=" + kernel);
        }
        return flags.toArray(String[]::new);
    }

    /** Waits for the line that says that it is ready; the address in it. */
    HostPort address() throws IOException {
        String line = out.readLine();
        if (line == null || !line.startsWith(LISTENING)) {
            throw new IOException("the server said '" + line + "', and on standard error: " + errors());
        }
        readyLine = line;
        return HostPort.parse(line.substring(LISTENING.length(), line.indexOf(' ', LISTENING.length())));
    }

    /** Returns the line that {@link #address} has waited for. */
    String readyLine() {
        return readyLine;
    }

    /** Waits for the next line on standard output. */
    String nextLine() throws IOException {
        return out.readLine();
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
        signal("INT");
    }

    /** Sends the signal of this name. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
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
        awaitError(ENDING);
    }

    /** Waits until {@code text} stands on standard error; a server that ends without it has failed. */
    void awaitError(String text) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_TIMEOUT_S);
        boolean more = true;
        while (!Files.readString(errors).contains(text)) {
            if (!more) {
                throw new IOException("the server did not say '" + text + "' but: " + errors());
            }
            LockSupport.parkNanos(LOOK_NS);
            more = process.isAlive() && System.nanoTime() - deadlineNs < 0; // and one more look at what it said last
        }
    }

    /** Lines written to standard error so far, without the expected ones. */
    String errors() throws IOException {
        return String.join(
                "\n",
                Files.readAllLines(errors).stream()
                        .filter(line -> !line.contains("calling the kernel through")
                                && !line.contains(CHOICE)
                                && !line.startsWith(ENDING)
                                && !line.contains(TOTALS))
                        .toList());
    }

    /** The line about all that it has done, from "served" on, once it has ended. */
    String totals() throws IOException {
        String line = Files.readAllLines(errors).stream()
                .filter(said -> said.contains(TOTALS))
                .findFirst()
                .orElseThrow(() -> new IOException("no totals among: " + errorsOrWhyNot()));
        return line.substring(line.indexOf("served "));
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
