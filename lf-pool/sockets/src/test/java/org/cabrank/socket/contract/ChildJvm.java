package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;

/** A JVM of a test's own, of the same JDK and the same classes, that is started with signals blocked; until it is closed. */
public final class ChildJvm implements AutoCloseable {
    private static final int COMPILED_JVMS = 3;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * @param blocked the names of the signals, as env(1) takes them
     * @param options of the JVM, which is to start soon rather than run fast if they do not say otherwise
     */
    public ChildJvm(TestKernel kernel, List<String> blocked, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("env"));
        blocked.forEach(signal -> command.add("--block-signal=" + signal));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dcabrank.kernel=" + kernel.name()));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(main), main.getName()));
        command.addAll(Arrays.asList(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread reader = new Thread(this::read, "output of the child");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Fails unless a JVM with all compilers says a line first: one of three. C2 inlines by the profile that it has when it compiles. In
     * about one JVM of a thousand it never inlines a virtual call of the FFM API, and each call of the kernel makes a view of 40 bytes.
     */
    public static void assertOneSays(String expected, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        String said = "";
        for (int i = 0; i < COMPILED_JVMS && !said.equals(expected); i++) {
            try (ChildJvm child = new ChildJvm(
                    TestKernel.anyTestKernel(), List.of(), List.of("-XX:TieredStopAtLevel=4"), main, arguments)) {
                said = child.line();
            }
        }
        assertEquals(expected, said);
    }

    /** Returns true if env(1) can block signals: coreutils 8.31 or later. */
    public static boolean signalsCanBeBlocked() throws IOException, InterruptedException {
        return new ProcessBuilder("env", "--block-signal=USR1", "true").start().waitFor() == 0;
    }

    /**
     * The classes of this JVM: its module path and class path, and where a module's tests are patched into it, the tests, which
     * stand on neither.
     */
    private static String classPath(Class<?>... needed) {
        List<String> entries = new ArrayList<>();
        for (Class<?> each : needed) {
            entries.add(directoryOf(each));
        }
        entries.add(System.getProperty("jdk.module.path", ""));
        entries.add(System.getProperty("java.class.path", ""));
        return String.join(File.pathSeparator, entries);
    }

    private static String directoryOf(Class<?> each) {
        String file = each.getName().replace('.', '/') + ".class";
        String found = each.getResource("/" + file).getPath();
        return found.substring(0, found.length() - file.length());
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException ended) {
            lines.add("(the output broke off: " + ended + ")");
        }
    }

    /** The next line of its output. */
    public String line() throws InterruptedException {
        String line = lines.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        if (line == null) {
            throw new AssertionError("the child says nothing" + (process.isAlive() ? "" : " and has ended"));
        }
        return line;
    }

    /** No line of its output is waiting. */
    public boolean isSilent() {
        return lines.isEmpty();
    }

    public void tell(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /**
     * Sends signals, all from one process.
     *
     * @param signals numbers
     * @return the process that sent them
     */
    public long signal(int... signals) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder();
        for (int signal : signals) {
            script.append("kill -")
                    .append(signal)
                    .append(' ')
                    .append(process.pid())
                    .append(" && ");
        }
        Process shell = new ProcessBuilder("sh", "-c", script + "true").start();
        if (shell.waitFor() != 0) {
            throw new AssertionError("kill failed");
        }
        return shell.pid();
    }

    /** Ends its input, and waits for its end. */
    public int end() throws IOException, InterruptedException {
        process.outputWriter().close();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
