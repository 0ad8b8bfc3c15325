package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two network namespaces joined by a veth(4) pair: the bench and its load generators run in one, servers in the other. The
 * process that the user starts makes them, runs the bench as a child in the namespace of the load, and removes them when the
 * bench has ended, however it ended. If that process is killed before it can do so, the next one removes what it left.
 *
 * <pre>
 *   this process            cabrank-load-PID                  cabrank-serve-PID
 *   (any namespace)    ┌─────────────────────────┐        ┌──────────────────────┐
 *   makes, waits,  ──→ │ bench, load generators  │        │ servers              │
 *   removes            │        veth0 198.18.0.1 ├────────┤ veth0 198.18.0.2     │
 *                      └─────────────────────────┘        └──────────────────────┘
 * </pre>
 *
 * The addresses are of the block for benchmarks (RFC 2544).
 */
public final class VethNetwork implements AutoCloseable {

    /** Address of the servers. */
    public static final String SERVER_ADDRESS = "198.18.0.2";

    private static final String LOAD_ADDRESS = "198.18.0.1";
    private static final String PREFIX_BITS = "/30";
    private static final String DEVICE = "veth0";

    /** System property of the bench in the namespace of the load: the file of the servers' namespace. */
    private static final String SERVERS = "cabrank.bench.veth";

    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final Pattern NAME = Pattern.compile("cabrank-(load|serve)-([0-9]+)");

    private static final String ADMINISTRATOR_DIRECTORIES = ":/usr/sbin:/sbin";
    private static final ProgramOnPath IP = new ProgramOnPath("ip", "iproute2");
    private static final ProgramOnPath NSENTER = new ProgramOnPath("nsenter", "util-linux");

    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]+)$");
    /** Bits of CAP_NET_ADMIN and CAP_SYS_ADMIN, capabilities(7). */
    private static final long NEEDED = 1L << 12 | 1L << 21;

    private static final Duration IP_LIMIT = Duration.ofSeconds(30);

    private static final int END_TIMEOUT_S = 30;

    private final String load;
    private final String serve;
    private boolean closed;

    private VethNetwork(long pid) {
        load = "cabrank-load-" + pid;
        serve = "cabrank-serve-" + pid;
    }

    /** The reason why this process cannot make such a network, with the remedy; empty if it can. */
    public static Optional<String> obstacle() throws IOException {
        return obstacle(path(), Files.readString(Path.of("/proc/self/status")));
    }

    /** @param status text of {@code /proc/self/status} */
    static Optional<String> obstacle(String path, String status) {
        for (ProgramOnPath program : List.of(IP, NSENTER)) {
            if (program.obstacle(path) != null) {
                return Optional.of(program.obstacle(path));
            }
        }
        Matcher capabilities = CAPABILITIES.matcher(status);
        boolean allowed = capabilities.find() && (Long.parseUnsignedLong(capabilities.group(1), 16) & NEEDED) == NEEDED;
        return allowed
                ? Optional.empty()
                : Optional.of(
                        "network namespaces need root (CAP_NET_ADMIN and CAP_SYS_ADMIN): run the command with sudo");
    }

    private static String path() {
        String path = System.getenv("PATH");
        return (path == null ? "" : path) + ADMINISTRATOR_DIRECTORIES;
    }

    /** Returns true if this process is the bench in the namespace of the load. */
    public static boolean inside() {
        return System.getProperty(SERVERS) != null;
    }

    /** Command that starts a process in the namespace of the servers, without the process's own command. */
    static List<String> serverCommand() {
        return List.of(program(NSENTER), "--net=" + System.getProperty(SERVERS), "--");
    }

    /** Describes the network, for the report. */
    static String words() {
        return "Cells that end in @veth: servers (" + SERVER_ADDRESS + ") and load (" + LOAD_ADDRESS
                + ") are in two network namespaces, joined by a veth pair.";
    }

    /**
     * Makes the network.
     *
     * @throws IOException if the kernel refuses, with the program's words; nothing is left behind then
     */
    public static VethNetwork create() throws IOException {
        removeStale();
        VethNetwork network = new VethNetwork(ProcessHandle.current().pid());
        boolean made = false;
        try {
            network.make();
            made = true;
            return network;
        } finally {
            if (!made) {
                network.close();
            }
        }
    }

    private void make() throws IOException {
        ip("netns", "add", load);
        ip("netns", "add", serve);
        ip("-n", load, "link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns", serve);
        ip("-n", load, "addr", "add", LOAD_ADDRESS + PREFIX_BITS, "dev", DEVICE);
        ip("-n", serve, "addr", "add", SERVER_ADDRESS + PREFIX_BITS, "dev", DEVICE);
        for (String namespace : List.of(load, serve)) {
            ip("-n", namespace, "link", "set", "lo", "up");
            ip("-n", namespace, "link", "set", DEVICE, "up");
        }
    }

    /**
     * Runs the command of this process again, in the namespace of the load, and returns its exit status. That process is
     * {@link #inside}.
     */
    public int runAgain() throws IOException, InterruptedException {
        String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
        List<String> command = new ArrayList<>(List.of(words).subList(0, words.length - 1));
        command.add(1, "-D" + SERVERS + "=" + NAMESPACES.resolve(serve));
        return run(command);
    }

    /** Runs {@code command} in the namespace of the load, with this process's standard streams. */
    int run(List<String> command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of(program(NSENTER), "--net=" + NAMESPACES.resolve(load), "--"));
        whole.addAll(command);
        Process bench = new ProcessBuilder(whole).inheritIO().start();
        Thread hook = new Thread(() -> endedEarly(bench), "veth-ended-early");
        Runtime.getRuntime().addShutdownHook(hook);
        int status = bench.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook is at work and has the last word.
            hook.join();
        }
        return status;
    }

    /** The bench prints and writes what it has finished before it ends. */
    private void endedEarly(Process bench) {
        bench.destroy();
        try {
            if (!bench.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                bench.destroyForcibly().waitFor();
            }
            close();
        } catch (IOException notRemoved) {
            System.err.println(notRemoved.getMessage());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Kills what still runs in the namespaces, and removes them, and with them the pair.
     *
     * @throws IOException if one of them cannot be removed
     */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            remove(load);
            remove(serve);
        }
    }

    private static void remove(String namespace) throws IOException {
        if (Files.exists(NAMESPACES.resolve(namespace))) {
            for (String pid : ip("netns", "pids", namespace).split("\\s+")) {
                if (!pid.isEmpty()) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
            ip("netns", "del", namespace);
        }
    }

    /** Removes namespaces of a process that was killed before it could do so. */
    private static void removeStale() throws IOException {
        List<String> stale = new ArrayList<>();
        if (Files.isDirectory(NAMESPACES)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(NAMESPACES, "cabrank-*")) {
                for (Path namespace : all) {
                    Matcher name = NAME.matcher(namespace.getFileName().toString());
                    if (name.matches()
                            && ProcessHandle.of(Long.parseLong(name.group(2))).isEmpty()) {
                        stale.add(name.group());
                    }
                }
            }
        }
        for (String namespace : stale) {
            remove(namespace);
        }
    }

    private static String program(ProgramOnPath program) {
        return program.in(path()).map(Path::toString).orElse(program.name());
    }

    private static String ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(IP)));
        command.addAll(List.of(arguments));
        ProgramOutput output = ProgramOutput.of(command, IP_LIMIT);
        if (output.status() != 0) {
            throw new IOException("'ip " + String.join(" ", arguments) + "' failed: "
                    + output.text().strip()
                    + "; --net veth needs a kernel and a container that permit network namespaces");
        }
        return output.text();
    }
}
