package org.cabrank.tls.example;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.tls.Pem;
import org.cabrank.tls.Tls;
import org.cabrank.tls.TlsConnection;

/** Examples of the README, one method for each heading. */
public final class TlsRecipes {
    private TlsRecipes() {}

    public static Tls fromPemFiles(Path certificates, Path key) throws IOException {
        SSLContext context = Pem.context(certificates, key, null);
        return Tls.server(context).protocols("TLSv1.3").build();
    }

    public static void renew(Tls tls, Path certificates, Path key) throws IOException {
        tls.reload(Pem.context(certificates, key, null));
    }

    public static Tls negotiating(SSLContext context) {
        return Tls.server(context).applicationProtocols("h2", "http/1.1").build();
    }

    public static Tls byHostName(SSLContext others, Map<String, SSLContext> known) {
        return Tls.server(others)
                .contextByName(name -> name == null ? null : known.get(name))
                .build();
    }

    public static Tls forKnownClients(Path certificates, Path key, Path authorities) throws IOException {
        return Tls.server(Pem.context(certificates, key, authorities))
                .clientCertificate(Tls.ClientCertificate.NEED)
                .build();
    }

    public static ConnectionHandler greeting() {
        return (connection, data) -> {
            data.position(data.limit());
            TlsConnection tls = (TlsConnection) connection;
            String greeting = tls.session().getProtocol() + " " + tls.applicationProtocol();
            if (tls.session().getPeerCertificates()[0] instanceof X509Certificate client) {
                greeting += " for " + client.getSubjectX500Principal().getName();
            }
            connection.write(StandardCharsets.UTF_8.encode(greeting));
        };
    }

    public static CompletableFuture<TlsConnection> connect(
            StreamReactor reactor, SSLContext trusting, int port, ConnectionHandler handler) {
        Tls tls = Tls.client(trusting, "localhost", port)
                .applicationProtocols("http/1.1")
                .build();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
        return tls.connect(reactor, address, ConnectOptions.DEFAULT, handler);
    }

    public static Tls withHandshakesElsewhere(SSLContext context, Executor threads) {
        return Tls.server(context).handshakeExecutor(threads).handshakesMax(2).build();
    }
}
