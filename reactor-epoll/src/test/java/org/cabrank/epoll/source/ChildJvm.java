package org.cabrank.epoll.source;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.epoll.TestKernel;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Handle;

/** A JVM of a test's own, of the same JDK and the same classes, that is started with signals blocked; until it is closed. */
final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * @param blocked the names of the signals, as env(1) takes them
     * @param options of the JVM
     */
    ChildJvm(TestKernel kernel, List<String> blocked, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("env"));
        blocked.forEach(signal -> command.add("--block-signal=" + signal));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Dcabrank.kernel=" + kernel.name()));
        command.addAll(List.of("-cp", classPath(kernel.kernel()), main.getName()));
        command.addAll(Arrays.asList(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread reader = new Thread(this::read, "output of the child");
        reader.setDaemon(true);
        reader.start();
    }

    /** Whether env(1) can block signals: that of coreutils 8.31 or later. */
    static boolean signalsCanBeBlocked() throws IOException, InterruptedException {
        return new ProcessBuilder("env", "--block-signal=USR1", "true").start().waitFor() == 0;
    }

    private static String classPath(Kernel kernel) {
        List<String> entries = new ArrayList<>();
        entries.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        entries.add(Path.of("target", "classes").toAbsolutePath().toString());
        for (Class<?> needed : List.of(EpollHandleSet.class, Handle.class, Kernel.class, kernel.getClass())) {
            entries.add(location(needed));
        }
        // JNA, and whatever else a kernel brings with it, stands on one of the two.
        entries.add(System.getProperty("jdk.module.path", ""));
        entries.add(System.getProperty("java.class.path", ""));
        return String.join(File.pathSeparator, entries);
    }

    private static String location(Class<?> of) {
        try {
            return Path.of(of.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
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
    String line() throws InterruptedException {
        String line = lines.poll(20, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("the child says nothing" + (process.isAlive() ? "" : " and has ended"));
        }
        return line;
    }

    /** No line of its output is waiting. */
    boolean isSilent() {
        return lines.isEmpty();
    }

    void tell(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /**
     * Sends signals, all from one process.
     *
     * @param signals numbers
     * @return the process that sent them
     */
    long signal(int... signals) throws IOException, InterruptedException {
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
    int end() throws IOException, InterruptedException {
        process.outputWriter().close();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
