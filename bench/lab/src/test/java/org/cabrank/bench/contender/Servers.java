package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.opentest4j.TestAbortedException;

/** Contenders for tests. */
final class Servers {

    private Servers() {}

    private static final int TIMEOUT_MS = 60_000;

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
    static ServerSettings settings(Protocol protocol) throws IOException {
        ServerSettings settings = ServerSettings.DEFAULT;
        return (protocol.overTls() ? settings.withTls(tls()) : settings).withProtocol(protocol);
    }

    /** Connects to a server, over TLS if the protocol is. */
    static Socket connect(RunningServer server, Protocol protocol) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
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
    static RunningServer start(String name, ServerSettings settings) throws IOException {
        try {
            return Contenders.named(name).start(settings);
        } catch (ContenderUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }
}
