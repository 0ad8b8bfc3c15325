package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.pem.PemFiles;
import org.cabrank.systemd.NotifySocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cabrank serve} under systemd: passed sockets, notifications and the reload of certificates. */
@Timeout(300)
@NewestJdk
final class SystemdProcessTest {
    private static final long CONNECT_PATIENCE_S = 60;

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsPrograms() {
        for (String program : List.of("systemd-socket-activate", "curl")) {
            assumeTrue(
                    List.of(System.getenv("PATH").split(":")).stream()
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
                    program + " is not installed");
        }
    }

    /** Listens at the Unix sockets {@code names} of the directory, which are passed under their names. */
    private ServeProcess start(String notifySocket, List<String> names, String... arguments) throws IOException {
        List<String> activation = new ArrayList<>(List.of("systemd-socket-activate"));
        if (notifySocket != null) {
            activation.addAll(List.of("-E", "NOTIFY_SOCKET=" + notifySocket));
        }
        activation.add("--fdname=" + String.join(":", names));
        names.forEach(name -> activation.addAll(List.of("-l", path(name).toString())));
        return ServeProcess.startUnder(activation, null, arguments);
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    /** Waits for the socket of a name, whose first connection starts the server. */
    private String curl(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--noproxy",
                "*",
                "--max-time",
                "60",
                "--unix-socket",
                path(name).toString()));
        command.addAll(List.of(arguments));
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_PATIENCE_S);
        while (!Files.exists(path(name))) {
            assertTrue(System.nanoTime() - deadlineNs < 0, "no socket " + name);
            Thread.onSpinWait();
        }
        Process curl = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return curl.waitFor() == 0 ? said : "curl: " + said;
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void servesTheSocketsOfSystemdAndNotifiesIt(String backend) throws Exception {
        try (NotifySocket manager = NotifySocket.in(directory);
                ServeProcess server = start(
                        manager.target(),
                        List.of("web", "admin"),
                        "http",
                        "--listen",
                        "systemd",
                        "--backend",
                        backend)) {
            assertEquals("Hello, World!", curl("admin", "http://localhost/"));
            assertEquals("Hello, World!", curl("web", "http://localhost/"));
            String ready = server.nextLine();
            assertTrue(
                    ready.startsWith("listening on " + path("web") + " and " + path("admin") + " (http on " + backend),
                    ready);
            assertEquals(
                    "READY=1\nSTATUS=listening on " + path("web") + " and " + path("admin") + " (http)",
                    manager.next());
            server.terminate();
            assertEquals("STOPPING=1\nEXTEND_TIMEOUT_USEC=20000000", manager.next());
            assertEquals(0, server.exitStatus());
            assertTrue(Files.exists(path("web")), "the file of a socket belongs to systemd");
        }
    }

    @Test
    void namedSocketIsServedAloneAndANotifySocketThatIsNotThereIsReported() throws Exception {
        String gone = path("gone").toString();
        try (ServeProcess server = start(gone, List.of("web", "admin"), "http", "--listen", "systemd:admin")) {
            assertEquals("Hello, World!", curl("admin", "http://localhost/"));
            String ready = server.nextLine();
            assertTrue(ready.startsWith("listening on " + path("admin") + " (http on "), ready);
            server.awaitError("systemd was not notified (READY=1) by NOTIFY_SOCKET=");
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }

    @Test
    void nameThatWasNotPassedIsRefusedWithThoseThatWere() throws Exception {
        try (ServeProcess server = start(null, List.of("web", "admin"), "http", "--listen", "systemd:other")) {
            curl("web", "http://localhost/");
            assertEquals(1, server.exitStatus());
            assertTrue(server.errors().contains("no socket of the name 'other', but: web, admin;"), server.errors());
        }
    }

    @Test
    void certificatesAreReadAgainOnSighupAndWrongOnesAreRefused() throws Exception {
        PemFiles first = PemFiles.valid(directory, "first", "localhost");
        PemFiles second = PemFiles.valid(directory, "second", "localhost");
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        install(first, certificate, key);
        try (NotifySocket manager = NotifySocket.in(directory);
                ServeProcess server = start(
                        manager.target(),
                        List.of("web"),
                        "http",
                        "--listen",
                        "systemd",
                        "--tls-cert",
                        certificate.toString(),
                        "--tls-key",
                        key.toString())) {
            assertEquals("Hello, World!", trusting(first));
            assertTrue(manager.next().startsWith("READY=1\n"));
            install(second, certificate, key);
            assertEquals("Hello, World!", trusting(first));
            server.signal("HUP");
            assertTrue(manager.next().startsWith("RELOADING=1\nMONOTONIC_USEC="));
            assertTrue(manager.next().startsWith("READY=1\n"));
            assertEquals("Hello, World!", trusting(second));
            assertTrue(trusting(first).startsWith("curl: "), "the former certificate is not served any more");
            Files.writeString(certificate, "no certificate");
            server.signal("HUP");
            assertTrue(manager.next().startsWith("RELOADING=1\n"));
            String ready = manager.next();
            assertTrue(ready.startsWith("READY=1\nSTATUS=reload failed, the former configuration stays: "), ready);
            server.awaitError("certificates were not read again, the former ones stay: ");
            assertEquals("Hello, World!", trusting(second));
        }
    }

    private String trusting(PemFiles pem) throws IOException, InterruptedException {
        return curl("web", "--cacert", pem.certificate().toString(), "https://localhost/");
    }

    private static void install(PemFiles pem, Path certificate, Path key) throws IOException {
        Files.copy(pem.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(pem.key(), key, StandardCopyOption.REPLACE_EXISTING);
    }
}
