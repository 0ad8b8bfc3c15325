package org.cabrank.bench.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

final class ServeTlsOptions {
    private static final String SELF_SIGNED = "self-signed";

    @Option(
            names = "--tls",
            paramLabel = SELF_SIGNED + "[:FILE]",
            description =
                    "Serves over TLS with a new certificate for localhost and 127.0.0.1, which is valid for one day,"
                            + " and prints its SHA-256 fingerprint. Writes the certificate to a PEM file, for clients that"
                            + " are to trust it (curl --cacert FILE).")
    private String tls;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves over TLS with the certificate in this PEM file, and those of its issuers behind it;"
                    + " needs --tls-key.")
    private Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file of the private key of --tls-cert, unencrypted (PKCS #8).")
    private Path key;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description =
                    "Serves only clients with a certificate that one of the certificates in this PEM file has signed"
                            + " (default: clients need no certificate).")
    private Path clientAuthorities;

    /** Returns null for plain text. If {@code applicationProtocols} is empty, the server does not negotiate a protocol (ALPN). */
    ServerTls tls(String... applicationProtocols) {
        check();
        if (tls != null) {
            String file = tls.substring(Math.min(tls.length(), SELF_SIGNED.length() + 1));
            return ServerTls.selfSigned(file.isEmpty() ? null : Path.of(file), clientAuthorities, applicationProtocols);
        }
        return certificate == null ? null : ServerTls.of(certificate, key, clientAuthorities, applicationProtocols);
    }

    private void check() {
        if (tls != null && !tls.equals(SELF_SIGNED) && !tls.startsWith(SELF_SIGNED + ":")) {
            throw new IllegalArgumentException("--tls takes " + SELF_SIGNED + " or " + SELF_SIGNED + ":FILE, but is '"
                    + tls + "': for a certificate in a file use --tls-cert and --tls-key");
        }
        if (tls != null && (certificate != null || key != null)) {
            throw new IllegalArgumentException("--tls " + SELF_SIGNED + " and "
                    + (certificate != null ? "--tls-cert" : "--tls-key") + " exclude each other: leave one out");
        }
        if (certificate != null && key == null) {
            throw new IllegalArgumentException(
                    "--tls-cert needs the private key of the certificate: add --tls-key FILE");
        }
        if (certificate == null && key != null) {
            throw new IllegalArgumentException("--tls-key needs the certificate of the key: add --tls-cert FILE");
        }
        if (clientAuthorities != null && tls == null && certificate == null) {
            throw new IllegalArgumentException(
                    "--tls-client-ca is for a server over TLS: add --tls-cert and --tls-key, or --tls " + SELF_SIGNED);
        }
    }
}
