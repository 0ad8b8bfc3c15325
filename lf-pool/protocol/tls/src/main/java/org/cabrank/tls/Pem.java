package org.cabrank.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Makes an {@link SSLContext} from certificates and keys in PEM files (RFC 7468). */
public final class Pem {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----\\s*([A-Za-z0-9+/=\\s]+?)\\s*-----END PRIVATE KEY-----");

    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

    private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

    private Pem() {}

    /**
     * Makes the context of a server or a client that has a certificate.
     *
     * @param certificates file with the certificate, followed by the certificates of its issuers
     * @param key file of the private key of the certificate; the key must be unencrypted and in PKCS #8 ({@code BEGIN PRIVATE KEY})
     * @param trusted file of the certificates that verify the certificates of peers; null to use the certificates that the JDK trusts
     * @throws IOException if a file cannot be read or has other content, if the certificate is not valid now, or if the key does not
     *     belong to the certificate; the message names the file
     */
    public static SSLContext context(Path certificates, Path key, Path trusted) throws IOException {
        Objects.requireNonNull(certificates, "certificates");
        Objects.requireNonNull(key, "key");
        List<X509Certificate> chain = certificates(certificates);
        PrivateKey own = key(key);
        requireValid(certificates, chain.get(0));
        requireBelongs(key, own, certificates, chain.get(0));
        try {
            return SelfSigned.initialized(
                    SSLContext.getInstance("TLS"), own, chain, trusted == null ? List.of() : certificates(trusted));
        } catch (GeneralSecurityException refused) {
            throw new IOException(
                    "the JDK refuses the certificate in " + certificates + ": " + refused.getMessage(), refused);
        }
    }

    /** Returns at least one certificate. */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Certificate each :
                    factory.generateCertificates(new ByteArrayInputStream(read(file, "certificates")))) {
                found.add((X509Certificate) each);
            }
        } catch (CertificateException malformed) {
            throw new IOException(
                    file + " is no PEM file of certificates (BEGIN CERTIFICATE): " + malformed.getMessage(), malformed);
        }
        if (found.isEmpty()) {
            throw new IOException(file + " has no certificate in it (BEGIN CERTIFICATE)");
        }
        return found;
    }

    private static byte[] read(Path file, String content) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + file + " of " + content, missing);
        } catch (IOException refused) {
            throw new IOException("the " + content + " in " + file + " cannot be read: " + refused, refused);
        }
    }

    private static PrivateKey key(Path file) throws IOException {
        String text = new String(read(file, "the private key"), StandardCharsets.ISO_8859_1);
        Matcher pem = PKCS8.matcher(text);
        if (!pem.find()) {
            throw new IOException(file + " has no unencrypted private key in PKCS #8 (BEGIN PRIVATE KEY)"
                    + (text.contains("PRIVATE KEY-----")
                            ? "; convert it: openssl pkcs8 -topk8 -nodes -in " + file
                            : ""));
        }
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(
                    Base64.getMimeDecoder().decode(pem.group(1).getBytes(StandardCharsets.ISO_8859_1)));
        } catch (IllegalArgumentException malformed) {
            throw new IOException("the private key in " + file + " is no Base64", malformed);
        }
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException other) {
                // The key is of another algorithm.
            } catch (GeneralSecurityException absent) {
                throw new IOException("the JDK has no " + algorithm + " keys", absent);
            }
        }
        throw new IOException("the private key in " + file + " is of none of the algorithms " + KEY_ALGORITHMS);
    }

    private static void requireValid(Path file, X509Certificate certificate) throws IOException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException | CertificateNotYetValidException invalid) {
            throw new IOException(
                    "the certificate in " + file + " is valid from "
                            + certificate.getNotBefore().toInstant() + " to "
                            + certificate.getNotAfter().toInstant() + ", and not now: renew it, or set the clock",
                    invalid);
        }
    }

    private static void requireBelongs(Path keyFile, PrivateKey key, Path file, X509Certificate certificate)
            throws IOException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        boolean belongs;
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            belongs = signature.verify(signed);
        } catch (InvalidKeyException other) {
            belongs = false;
        } catch (GeneralSecurityException refused) {
            throw new IOException("the private key in " + keyFile + " cannot sign: " + refused.getMessage(), refused);
        }
        if (!belongs) {
            throw new IOException("the private key in " + keyFile + " does not belong to the certificate in " + file);
        }
    }
}
