package org.cabrank.bench.end;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process of HAProxy in the foreground, asked by its administration socket. */
final class Haproxy implements AutoCloseable {
    private static final long LOOK_NS = 10_000_000;
    private static final long PATIENCE_S = Long.getLong("cabrank.patience.seconds", 90);

    private final Process process;
    private final UnixDomainSocketAddress administration;
    private final Path log;

    private Haproxy(Process process, Path administration, Path log) {
        this.process = process;
        this.administration = UnixDomainSocketAddress.of(administration);
        this.log = log;
    }

    /** Returns the program; empty if it is not installed. */
    static Optional<String> program() {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        for (String place : path.split(File.pathSeparator)) {
            Path file = Path.of(place, "haproxy");
            if (Files.isExecutable(file)) {
                return Optional.of(file.toString());
            }
        }
        return Optional.empty();
    }

    /**
     * Starts the program, and waits until it answers at its administration socket.
     *
     * @param administration socket in the configuration
     * @param log file for what it prints
     */
    static Haproxy start(Path configuration, Path administration, Path log) throws IOException {
        Process process = new ProcessBuilder(program().orElseThrow(), "-db", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Haproxy haproxy = new Haproxy(process, administration, log);
        while (!Files.exists(administration)) {
            haproxy.requireAlive();
            LockSupport.parkNanos(LOOK_NS);
        }
        return haproxy;
    }

    /** Returns the warnings and errors that the program finds in a configuration; empty if there are none. */
    static String check(Path configuration) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program().orElseThrow(), "-c", "-q", "-f", configuration.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? said : "exit status " + process.exitValue() + ": " + said;
    }

    private void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("haproxy has ended: " + Files.readString(log));
        }
    }

    /** A row of the table of statistics: values by the names of their columns. */
    Map<String, String> statistics(String proxy, String server) throws IOException {
        List<String> lines = command("show stat").lines().toList();
        String[] columns = lines.get(0).substring("# ".length()).split(",", -1);
        for (String line : lines) {
            if (line.startsWith(proxy + "," + server + ",")) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < Math.min(columns.length, values.length); i++) {
                    row.put(columns[i], values[i]);
                }
                return row;
            }
        }
        throw new IOException("no " + proxy + "/" + server + " among " + lines);
    }

    /** Sum of the counts of a row in these columns. */
    long count(String proxy, String server, String... columns) throws IOException {
        Map<String, String> row = statistics(proxy, server);
        long sum = 0;
        for (String column : columns) {
            sum += Long.parseLong(row.get(column));
        }
        return sum;
    }

    /** Waits until the status of a server begins with {@code status}: UP while it is in rotation, DOWN while it is out. */
    void awaitStatus(String proxy, String server, String status) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        String seen = statistics(proxy, server).get("status");
        while (!seen.equals(status)) {
            requireAlive();
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException(server + " is " + seen + " and not " + status + ": " + Files.readString(log));
            }
            LockSupport.parkNanos(LOOK_NS);
            seen = statistics(proxy, server).get("status");
        }
    }

    private String command(String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(administration);
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
            while (channel.read(buffer) >= 0) {
                answer.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            return answer.toString(StandardCharsets.US_ASCII);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
