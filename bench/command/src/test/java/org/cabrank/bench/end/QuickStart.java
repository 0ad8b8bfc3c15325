package org.cabrank.bench.end;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cabrank.bench.Cabrank;
import org.cabrank.tls.SelfSigned;

/**
 * Class path and flags by which the processes of these tests start in half the CPU time. From JDK 25 on a server writes a cache of the
 * classes that it has loaded and linked, as it does for {@code scripts/cabrank}. The cache needs a class path of jars, so the classes of
 * this module are packed into one; directories of tests follow behind the jars.
 *
 * <p>The first JVM that asks makes jar and cache, and the JVMs beside it wait for both. A later build of the same classes takes them
 * over. On an older JDK, the class path is the class path of this JVM, and there are no flags.
 */
final class QuickStart {
    static final int CACHE_SINCE = 25;
    private static final long TRAINING_S = 60;
    private static final Pattern LISTENING = Pattern.compile("listening on \\S*:(\\d+) .*");
    private static final byte[] REQUEST = "GET / HTTP/1.0\r\n\r\n".getBytes(UTF_8);

    /** Reasons for which a JVM does without the cache are no output of the command. */
    private static final String SILENT = "-Xlog:aot*=off,cds*=off";

    private static QuickStart prepared;

    private final String classPath;
    private final List<String> flags;

    private QuickStart(String classPath, List<String> flags) {
        this.classPath = classPath;
        this.flags = flags;
    }

    /**
     * Returns the cache that fits this JVM and {@code otherFlags}.
     *
     * @param otherFlags of the processes, with the collector among them, on which the cache depends
     */
    static synchronized QuickStart prepare(String java, List<String> otherFlags) throws IOException {
        if (prepared == null) {
            prepared = Runtime.version().feature() < CACHE_SINCE
                    ? new QuickStart(System.getProperty("java.class.path"), List.of())
                    : make(java, otherFlags);
        }
        return prepared;
    }

    String classPath() {
        return classPath;
    }

    List<String> flags() {
        return flags;
    }

    private static QuickStart make(String java, List<String> otherFlags) throws IOException {
        List<Path> jars = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            (Files.isDirectory(path) ? directories : jars).add(path);
        }
        Path classes = directories.stream()
                .filter(directory ->
                        Files.exists(directory.resolve(Cabrank.class.getName().replace('.', '/') + ".class")))
                .findFirst()
                .orElseThrow(() -> new IOException("the classes of the command are in no directory of the class path"));
        Path place = Files.createDirectories(classes.resolveSibling("quick-start"));
        String name = nameOf(classes, jars, otherFlags);
        Path jar = place.resolve(name + ".jar");
        Path cache = place.resolve(name + ".aot");
        List<Path> all = new ArrayList<>(List.of(jar));
        all.addAll(jars);
        String prefix = joined(all);
        try (FileChannel lock =
                FileChannel.open(place.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock(); // until it is closed
            if (!Files.exists(cache)) {
                deleteOld(place);
                pack(classes, jar);
                train(java, otherFlags, prefix, place, cache);
            }
        }
        all.addAll(directories);
        return new QuickStart(joined(all), List.of("-XX:AOTCache=" + cache, SILENT));
    }

    private static String joined(List<Path> entries) {
        return String.join(
                File.pathSeparator, entries.stream().map(Path::toString).toList());
    }

    /** A name that changes with the contents of the class path, with the JDK and with the flags. */
    private static String nameOf(Path classes, List<Path> jars, List<String> otherFlags) throws IOException {
        StringBuilder contents = new StringBuilder(System.getProperty("java.home") + Runtime.version() + otherFlags);
        for (Path jar : jars) {
            contents.append(jar).append(Files.getLastModifiedTime(jar)).append(Files.size(jar));
        }
        for (Path file : filesUnder(classes)) {
            contents.append(file).append(Files.getLastModifiedTime(file)).append(Files.size(file));
        }
        return UUID.nameUUIDFromBytes(contents.toString().getBytes(UTF_8)).toString();
    }

    private static List<Path> filesUnder(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void deleteOld(Path place) throws IOException {
        for (Path file : filesUnder(place)) {
            if (!file.endsWith("lock")) {
                Files.delete(file);
            }
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream entries = new ZipOutputStream(file)) {
            entries.setLevel(0);
            for (Path each : filesUnder(classes)) {
                ZipEntry entry = new ZipEntry(classes.relativize(each).toString());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                entries.putNextEntry(entry);
                Files.copy(each, entries);
            }
        }
    }

    /** Lets a server of all that the tests use start, answer once over TLS and stop; its JVM writes the cache. */
    private static void train(String java, List<String> otherFlags, String classPath, Path place, Path cache)
            throws IOException {
        Path made = place.resolve("made.aot");
        Path errors = place.resolve("errors");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(otherFlags);
        command.addAll(List.of("-XX:AOTCacheOutput=" + made, "-Xlog:disable", "-Xlog:all=warning:stderr"));
        command.addAll(List.of("-cp", classPath, Cabrank.class.getName(), "serve", "http", "--listen", "127.0.0.1:0"));
        Path certificate = place.resolve("certificate.pem");
        command.addAll(List.of("--tls", "self-signed:" + certificate, "--metrics", "127.0.0.1:0", "--jmx"));
        Process server =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try (BufferedReader output = server.inputReader(UTF_8)) {
            Matcher listening = LISTENING.matcher(String.valueOf(output.readLine()));
            if (!listening.matches()) {
                throw new IOException("the server that writes the cache did not start: " + Files.readString(errors));
            }
            request(certificate, Integer.parseInt(listening.group(1)));
            server.destroy();
            boolean ended = server.waitFor(TRAINING_S, TimeUnit.SECONDS);
            if (!ended || server.exitValue() != 0 || !Files.exists(made)) {
                throw new IOException("the server wrote no cache: " + Files.readString(errors));
            }
            Files.move(made, cache);
        } catch (GeneralSecurityException refused) {
            throw new IOException("the client of the server that writes the cache", refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server wrote a cache", interrupted);
        } finally {
            server.destroyForcibly();
        }
    }

    private static void request(Path certificate, int port) throws IOException, GeneralSecurityException {
        try (InputStream file = Files.newInputStream(certificate)) {
            X509Certificate trusted =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
            try (Socket client = SelfSigned.trusting(trusted).getSocketFactory().createSocket("127.0.0.1", port)) {
                client.getOutputStream().write(REQUEST);
                client.getInputStream().readAllBytes();
            }
        }
    }
}
