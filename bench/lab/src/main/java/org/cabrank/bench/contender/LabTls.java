package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.cabrank.tls.Pem;
import org.cabrank.tls.SelfSigned;

/**
 * TLS settings of all contenders and clients. There is one certificate, version, cipher suite and group. Sessions are not resumed. The
 * clients offer only these settings, because some servers cannot choose all of them. {@code directory} has the PEM files.
 */
public record LabTls(Path directory) {

    public static final String VERSION = "TLSv1.3";
    public static final String CIPHER_SUITE = "TLS_AES_128_GCM_SHA256";

    public static final String GROUP = "secp256r1";

    private static final long VALID_S = 86_400;

    private static final int PEM_LINE = 64;

    public LabTls {
        Objects.requireNonNull(directory, "directory");
    }

    public static LabTls create(Path directory) throws IOException {
        Instant now = Instant.now();
        LabTls tls = new LabTls(directory);
        try {
            SelfSigned own =
                    SelfSigned.of(now.minusSeconds(VALID_S), now.plusSeconds(VALID_S), "localhost", "127.0.0.1");
            Files.writeString(
                    tls.certificate(), pem("CERTIFICATE", own.certificate().getEncoded()));
            Files.writeString(tls.key(), pem("PRIVATE KEY", own.key().getEncoded()));
        } catch (GeneralSecurityException refused) {
            throw new IOException("the JDK cannot make a certificate: " + refused.getMessage(), refused);
        }
        return tls;
    }

    private static String pem(String what, byte[] content) {
        Base64.Encoder lines = Base64.getMimeEncoder(PEM_LINE, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + what + "-----\n" + lines.encodeToString(content) + "\n-----END " + what + "-----\n";
    }

    public Path certificate() {
        return directory.resolve("certificate.pem");
    }

    public Path key() {
        return directory.resolve("key.pem");
    }

    public SSLContext serverContext() throws IOException {
        return Pem.context(certificate(), key(), null);
    }

    public SSLContext clientContext() throws IOException {
        try {
            return SelfSigned.trusting(Pem.certificates(certificate()).toArray(X509Certificate[]::new));
        } catch (GeneralSecurityException refused) {
            throw new IOException("the JDK refuses the certificate: " + refused.getMessage(), refused);
        }
    }

    public static List<String> jvmFlags() {
        return List.of(
                "-Djdk.tls.namedGroups=" + GROUP,
                "-Djdk.tls.server.enableSessionTicketExtension=false",
                "-Djdk.tls.client.enableSessionTicketExtension=false",
                "-Djdk.tls.server.newSessionTicketCount=0"); // JDK 24 and later
    }

    public static String text() {
        return "TLS of all servers: " + VERSION + ", " + CIPHER_SUITE + ", group " + GROUP
                + ", one certificate (ECDSA, " + GROUP + "), no session is resumed.";
    }
}
