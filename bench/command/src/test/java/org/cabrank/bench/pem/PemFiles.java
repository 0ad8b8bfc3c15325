package org.cabrank.bench.pem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.cabrank.tls.SelfSigned;

/** A self-signed certificate and its private key, in the files that flags take. */
public final class PemFiles {
    private static final Duration DAY = Duration.ofDays(1);

    private final SelfSigned own;
    private final Path certificate;
    private final Path key;

    private PemFiles(SelfSigned own, Path directory, String name) throws IOException, GeneralSecurityException {
        this.own = own;
        certificate = directory.resolve(name + ".pem");
        key = directory.resolve(name + "-key.pem");
        Files.writeString(certificate, pem("CERTIFICATE", own.certificate().getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", own.key().getEncoded()));
    }

    /** Writes the files of a certificate that is valid now, for {@code hosts}. */
    public static PemFiles valid(Path directory, String name, String... hosts)
            throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        return new PemFiles(SelfSigned.of(now.minus(DAY), now.plus(DAY), hosts), directory, name);
    }

    /** Writes the files of a certificate that was valid until an hour ago. */
    public static PemFiles expired(Path directory, String name) throws IOException, GeneralSecurityException {
        Instant end = Instant.now().minus(Duration.ofHours(1));
        return new PemFiles(SelfSigned.of(end.minus(DAY), end, "localhost"), directory, name);
    }

    private static String pem(String kind, byte[] encoded) {
        String content = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN " + kind + "-----\n" + content + "\n-----END " + kind + "-----\n";
    }

    /** File of the certificate. */
    public Path certificate() {
        return certificate;
    }

    /** File of the private key. */
    public Path key() {
        return key;
    }

    /** Returns the context of a side that has this certificate, and trusts that of {@code trusted}. */
    public SSLContext context(PemFiles... trusted) throws GeneralSecurityException {
        return trusted.length == 0 ? own.context() : own.context(trusted[0].own.certificate());
    }

    /** Returns the context of a client that has no certificate, and trusts this certificate. */
    public SSLContext trusting() throws GeneralSecurityException {
        return SelfSigned.trusting(own.certificate());
    }

    /** Returns the content of a file of another kind than {@link #key}: encrypted, or of one algorithm only. */
    public static String otherKey(String kind) {
        return pem(kind, "no key".getBytes(StandardCharsets.US_ASCII));
    }
}
