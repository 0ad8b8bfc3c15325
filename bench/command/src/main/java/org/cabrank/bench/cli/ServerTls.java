package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.tls.Pem;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;
import org.cabrank.tls.Tls.ClientCertificate;
import org.cabrank.tls.TlsCounters;

/** TLS of a server. This is a separate class, so that a plain-text server does not load the TLS classes of the library. */
final class ServerTls {
    private static final Duration SELF_SIGNED_VALIDITY = Duration.ofDays(1);
    private static final int PEM_LINE_CHARS = 64;

    private interface ContextSource {
        SSLContext context() throws IOException;
    }

    private final Tls tls;
    private final boolean clientsVerified;
    private final String certificate;

    /** Null if the certificate is not in a file. */
    private final ContextSource files;

    private ServerTls(
            SSLContext context,
            ContextSource files,
            boolean clientsVerified,
            String certificate,
            String... applicationProtocols) {
        this.files = files;
        tls = Tls.server(context)
                .clientCertificate(clientsVerified ? ClientCertificate.NEED : ClientCertificate.NONE)
                .applicationProtocols(applicationProtocols)
                .build();
        this.clientsVerified = clientsVerified;
        this.certificate = certificate;
    }

    /** @param clientAuthorities file of the certificates that verify clients' certificates; null if clients need no certificate */
    static ServerTls of(Path certificate, Path key, Path clientAuthorities, String... applicationProtocols) {
        requireCertificates("--tls-cert", certificate);
        if (clientAuthorities != null) {
            requireCertificates("--tls-client-ca", clientAuthorities);
        }
        try {
            ContextSource files = () -> Pem.context(certificate, key, clientAuthorities);
            return new ServerTls(files.context(), files, clientAuthorities != null, null, applicationProtocols);
        } catch (IOException wrong) {
            throw new IllegalArgumentException(
                    "--tls-cert and --tls-key take PEM files of a valid certificate and of its private key, but "
                            + wrong.getMessage(),
                    wrong);
        }
    }

    /** Makes a certificate for localhost, and writes it to {@code written} if that is not null. */
    static ServerTls selfSigned(Path written, Path clientAuthorities, String... applicationProtocols) {
        List<X509Certificate> authorities =
                clientAuthorities == null ? List.of() : requireCertificates("--tls-client-ca", clientAuthorities);
        if (written != null) {
            ReportFile.checkWritable(written, "--tls self-signed:FILE");
        }
        try {
            Instant now = Instant.now();
            SelfSigned own = SelfSigned.of(now, now.plus(SELF_SIGNED_VALIDITY), "localhost", "127.0.0.1");
            if (written != null) {
                write(own.certificate(), written);
            }
            return new ServerTls(
                    own.context(authorities.toArray(X509Certificate[]::new)),
                    null,
                    clientAuthorities != null,
                    description(own.certificate(), written),
                    applicationProtocols);
        } catch (GeneralSecurityException refused) {
            throw new Failure(
                    "--tls self-signed: this JDK cannot make a certificate: " + refused.getMessage()
                            + "; name one by --tls-cert and --tls-key",
                    refused);
        }
    }

    private static List<X509Certificate> requireCertificates(String flag, Path file) {
        try {
            return Pem.certificates(file);
        } catch (IOException wrong) {
            throw new IllegalArgumentException(
                    flag + " takes a PEM file of certificates that this user may read, but " + wrong.getMessage(),
                    wrong);
        }
    }

    private static void write(X509Certificate certificate, Path file) throws GeneralSecurityException {
        String content =
                Base64.getMimeEncoder(PEM_LINE_CHARS, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        String pem = "-----BEGIN CERTIFICATE-----\n" + content + "\n-----END CERTIFICATE-----\n";
        try {
            Files.writeString(file, pem, StandardCharsets.US_ASCII);
        } catch (IOException refused) {
            throw new Failure(
                    "cannot write " + file + ": " + refused + "; name another file (--tls self-signed:FILE)", refused);
        }
    }

    private static String description(X509Certificate certificate, Path written) throws GeneralSecurityException {
        byte[] fingerprint = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        return "self-signed certificate for localhost and 127.0.0.1, valid until "
                + certificate.getNotAfter().toInstant() + ", SHA-256 "
                + HexFormat.ofDelimiter(":").withUpperCase().formatHex(fingerprint)
                + (written == null ? "" : ", written to " + written);
    }

    boolean isReloadable() {
        return files != null;
    }

    /** Reads the certificate and the key again, for new connections. If this fails, new connections use the old certificate. */
    void reload() throws IOException {
        tls.reload(files.context());
    }

    Supplier<ConnectionHandler> handlers(Supplier<ConnectionHandler> plain) {
        return tls.handlers(plain);
    }

    Tls tls() {
        return tls;
    }

    String description() {
        return clientsVerified ? "over TLS with client certificates" : "over TLS";
    }

    /** Returns a description of the self-signed certificate. Returns null if the certificate is in a file. */
    String certificate() {
        return certificate;
    }

    String totals() {
        TlsCounters counters = tls.counters();
        return String.format(
                Locale.ROOT,
                ", TLS handshakes completed %,d, failed %,d, connections cut off %,d",
                counters.handshakesCompleted(),
                counters.handshakesFailed(),
                counters.truncations() + counters.failures());
    }
}
