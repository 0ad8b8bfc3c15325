package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.cabrank.bench.load.ClientTls;
import org.cabrank.bench.text.HostPort;
import org.cabrank.tls.Pem;
import org.cabrank.tls.SelfSigned;
import picocli.CommandLine.Option;

final class LoadTlsOptions {

    @Option(
            names = "--tls",
            description = "Loads a server over TLS. Its certificate must be valid for the host of --connect, and an"
                    + " authority that the JDK trusts must have signed it.")
    private boolean tls;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "With --tls: trusts the certificates in this PEM file, instead of those that the JDK trusts.")
    private Path authorities;

    @Option(names = "--tls-insecure", description = "With --tls: accepts any certificate.")
    private boolean insecure;

    ClientTls tls(HostPort server) {
        if (!tls && (authorities != null || insecure)) {
            throw new IllegalArgumentException(
                    (insecure ? "--tls-insecure" : "--tls-ca") + " is for --tls: leave it out, or add that");
        }
        if (authorities != null && insecure) {
            throw new IllegalArgumentException("--tls-ca and --tls-insecure exclude each other: leave one out");
        }
        return tls ? ClientTls.of(context(), server.host(), server.port(), !insecure) : null;
    }

    String warning() {
        return insecure ? "the certificate of the server is not verified (--tls-insecure)" : null;
    }

    private SSLContext context() {
        try {
            if (insecure) {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new AllTrusting()}, null);
                return context;
            }
            return authorities == null
                    ? SSLContext.getDefault()
                    : SelfSigned.trusting(Pem.certificates(authorities).toArray(X509Certificate[]::new));
        } catch (IOException wrong) {
            throw new IllegalArgumentException(
                    "--tls-ca takes a PEM file of certificates that this user may read, but " + wrong.getMessage(),
                    wrong);
        } catch (GeneralSecurityException refused) {
            throw new Failure(
                    "this JDK cannot speak TLS: " + refused.getMessage() + "; leave out --tls, or take another JDK",
                    refused);
        }
    }

    private static final class AllTrusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            // accepted
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
