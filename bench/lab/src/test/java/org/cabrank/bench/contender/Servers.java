package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.provider.Arguments;
import org.opentest4j.TestAbortedException;

/** Contenders for tests. */
public final class Servers {

    static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;

    /** One for each engine, because rings and modes do not differ over TLS. */
    private static final Set<String> OVER_TLS = Set.of("cabrank-epoll-1-openssl", "virtual-threads");

    /** Contenders with the same handlers as one that is not named here: their modes are held to contracts by the reactors' tests. */
    private static final Set<String> ALIKE = Set.of(
            "cabrank-epoll-1",
            "cabrank-epoll-eager",
            "cabrank-iouring-shards",
            "netty-epoll-loops",
            "netty-iouring-loops");

    private Servers() {}

    /**
     * Returns the contenders that serve a protocol, and those that serve the protocol over TLS. Outside a soak those that run only by name
     * are left out, because most differ in an option that the contracts of the reactors are held with, those with the same handlers as
     * another contender, and some of those over TLS.
     */
    static Stream<Arguments> of(Protocol plain, Protocol overTls) {
        return Stream.concat(
                plain().filter(contender -> contender.serves(plain))
                        .map(contender -> Arguments.of(contender.name(), plain)),
                Contenders.overTls().stream()
                        .filter(contender -> SOAK || OVER_TLS.contains(contender.name()))
                        .filter(contender -> contender.serves(overTls))
                        .map(contender -> Arguments.of(contender.name(), overTls)));
    }

    /** Returns the contenders of a test that starts each of them: outside a soak some. */
    static Stream<Contender> plain() {
        return SOAK
                ? Contenders.names().stream().map(Contenders::named)
                : Stream.of(Contenders.standard(), Contenders.sharded(), Contenders.named(List.of("netty-epoll-group")))
                        .flatMap(List::stream)
                        .filter(contender -> !ALIKE.contains(contender.name()));
    }

    private static final int TIMEOUT_MS = 120_000;

    private static LabTls tls;

    /** Returns the files of TLS that all tests share, removed at the end. */
    static synchronized LabTls tls() throws IOException {
        if (tls == null) {
            Path directory = Files.createTempDirectory("cabrank-test-tls-");
            directory.toFile().deleteOnExit(); // after the files, which are registered later
            tls = LabTls.create(directory);
            tls.certificate().toFile().deleteOnExit();
            tls.key().toFile().deleteOnExit();
        }
        return tls;
    }

    /** The default settings for a protocol. */
    public static ServerSettings settings(Protocol protocol) throws IOException {
        ServerSettings settings = ServerSettings.DEFAULT;
        return (protocol.overTls() ? settings.withTls(tls()) : settings).withProtocol(protocol);
    }

    /** Connects to a server, over TLS if the protocol is. */
    public static Socket connect(RunningServer server, Protocol protocol) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(TIMEOUT_MS); // an interrupt does not end a read
        if (!protocol.overTls()) {
            return socket;
        }
        SSLSocket secured = (SSLSocket) tls().clientContext()
                .getSocketFactory()
                .createSocket(socket, "localhost", server.address().getPort(), true);
        secured.setEnabledProtocols(new String[] {LabTls.VERSION});
        secured.setEnabledCipherSuites(new String[] {LabTls.CIPHER_SUITE});
        secured.startHandshake();
        return secured;
    }

    /** Starts a contender; skips the test, with the contender's reason, if this machine cannot run it. */
    public static RunningServer start(String name, ServerSettings settings) throws IOException {
        try {
            return Contenders.named(name).start(settings);
        } catch (ContenderUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }
}
