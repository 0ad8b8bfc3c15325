package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.pem.PemFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Files that the flags of TLS name: each wrong one is a line with cause and remedy. Flags without files: {@link CommandsTest}. */
@Once
final class ServeTlsOptionsTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private PemFiles pem;

    @BeforeEach
    void writeFiles() throws Exception {
        pem = PemFiles.valid(directory, "valid", "localhost");
    }

    @Test
    void theKeyMustBelongToTheCertificate() throws Exception {
        PemFiles other = PemFiles.valid(directory, "other", "localhost");
        refused(2, "does not belong to the certificate in " + pem.certificate(), tls(pem.certificate(), other.key()));
    }

    @Test
    void theCertificateMustNotHaveExpired() throws Exception {
        PemFiles expired = PemFiles.expired(directory, "expired");
        refused(2, "and not now: renew it", tls(expired.certificate(), expired.key()));
    }

    @Test
    void filesMustExist() {
        Path absent = directory.resolve("absent.pem");
        refused(2, "--tls-cert takes a PEM file of certificates", tls(absent, pem.key()));
        refused(2, "there is no file " + absent, tls(absent, pem.key()));
        refused(2, "there is no file " + absent, tls(pem.certificate(), absent));
        refused(2, "--tls-client-ca takes a PEM file", "--tls", "self-signed", "--tls-client-ca", absent.toString());
        refused(2, "Is a directory", tls(directory, pem.key()));
    }

    @Test
    void filesMustBeOfTheirKind() throws Exception {
        refused(2, "--tls-cert takes a PEM file of certificates", tls(pem.key(), pem.key()));
        refused(2, "has no unencrypted private key", tls(pem.certificate(), pem.certificate()));
        Path converted = directory.resolve("converted.pem");
        for (String kind : new String[] {"EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"}) {
            Files.writeString(converted, PemFiles.otherKey(kind));
            refused(2, "convert it: openssl pkcs8", tls(pem.certificate(), converted));
        }
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        refused(2, "has no certificate in it", tls(empty, pem.key()));
        refused(2, "has no unencrypted private key", tls(pem.certificate(), empty));
    }

    @Test
    void aCertificateThatCannotBeWrittenIsRefusedAsOtherFilesAre() {
        refused(1, "cannot write /nonexistent/cert.pem", "--tls", "self-signed:/nonexistent/cert.pem");
    }

    @Test
    void withoutFlagsThereIsNoTls() {
        assertEquals(null, parse().tls("http/1.1"));
    }

    @Test
    void aSelfSignedCertificateIsWrittenAndDescribed() throws Exception {
        Path written = directory.resolve("written.pem");
        ServerTls tls = parse("--tls", "self-signed:" + written).tls();
        assertEquals("over TLS", tls.description());
        assertTrue(tls.certificate().contains("localhost and 127.0.0.1, valid until "), tls.certificate());
        assertTrue(
                tls.certificate().matches(".*, SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}, written to .*"),
                tls.certificate());
        assertTrue(Files.readString(written).startsWith("-----BEGIN CERTIFICATE-----\n"));
        // Its own issuer: it verifies clients that have it.
        assertEquals(
                "over TLS with client certificates",
                parse("--tls", "self-signed", "--tls-client-ca", written.toString())
                        .tls()
                        .description());
    }

    @Test
    void aCertificateFromFilesIsNotDescribed() throws GeneralSecurityException {
        ServerTls tls = parse(tls(pem.certificate(), pem.key())).tls("http/1.1");
        assertEquals(null, tls.certificate());
        assertEquals(", TLS handshakes completed 0, failed 0, connections cut off 0", tls.totals());
    }

    private static String[] tls(Path certificate, Path key) {
        return new String[] {"--tls-cert", certificate.toString(), "--tls-key", key.toString()};
    }

    private static ServeTlsOptions parse(String... flags) {
        ServeTlsOptions options = new ServeTlsOptions();
        CommandLine.populateCommand(options, flags);
        return options;
    }

    private void refused(int status, String words, String... flags) {
        err.getBuffer().setLength(0);
        String[] arguments = new String[flags.length + 4];
        System.arraycopy(new String[] {"serve", "echo", "--listen", "127.0.0.1:0"}, 0, arguments, 0, 4);
        System.arraycopy(flags, 0, arguments, 4, flags.length);
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertEquals(status, commands.execute(arguments), err::toString);
        assertEquals("", out.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains(words), err.toString());
    }
}
