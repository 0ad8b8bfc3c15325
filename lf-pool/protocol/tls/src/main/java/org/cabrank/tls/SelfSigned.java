package org.cabrank.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key (secp256r1) and a self-signed certificate for trials and tests. A client must be configured to trust the certificate. */
public final class SelfSigned {
    // Object identifiers: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.17.
    private static final byte[] ECDSA_WITH_SHA256 = {6, 8, 42, (byte) 0x86, 72, (byte) 0xce, 61, 4, 3, 2};
    private static final byte[] COMMON_NAME = {6, 3, 85, 4, 3};
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = {6, 3, 85, 29, 17};

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final char[] NO_PASSWORD = {};

    private final PrivateKey key;
    private final X509Certificate certificate;

    private SelfSigned(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /** Makes a new key and a certificate that is valid for {@code hosts}. There must be at least one name or IP address. */
    public static SelfSigned of(Instant notBefore, Instant notAfter, String... hosts) throws GeneralSecurityException {
        if (hosts.length == 0) {
            throw new IllegalArgumentException("a certificate must be valid for one host at least");
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
        byte[] name = name(hosts[0]);
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})), // X.509 version 3
                der(INTEGER, new BigInteger(64, new SecureRandom()).setBit(62).toByteArray()),
                algorithm,
                name,
                der(SEQUENCE, time(notBefore), time(notAfter)),
                name,
                pair.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, alternativeNames(hosts))));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(content);
        byte[] encoded = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        return new SelfSigned(pair.getPrivate(), certificate);
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    /** Returns the context of a server or a client that has this certificate and trusts {@code trusted}. */
    public SSLContext context(X509Certificate... trusted) throws GeneralSecurityException {
        return initialized(SSLContext.getInstance("TLS"), key, List.of(certificate), List.of(trusted));
    }

    /** Returns the context of a server or a client that has no certificate and trusts {@code trusted}. */
    public static SSLContext trusting(X509Certificate... trusted) throws GeneralSecurityException {
        return initialized(SSLContext.getInstance("TLS"), null, List.of(), List.of(trusted));
    }

    /** {@code key} is null for a context without a certificate. If {@code trusted} is empty, the JDK's certificates are trusted. */
    static SSLContext initialized(
            SSLContext context, PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted)
            throws GeneralSecurityException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            KeyStore own = emptyStore();
            if (key != null) {
                own.setKeyEntry("key", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            }
            keys.init(own, NO_PASSWORD);
            KeyStore others = emptyStore();
            for (int i = 0; i < trusted.size(); i++) {
                others.setCertificateEntry("trusted-" + i, trusted.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(others);
            context.init(keys.getKeyManagers(), trusted.isEmpty() ? null : trust.getTrustManagers(), null);
            return context;
        } catch (IOException impossible) {
            throw new GeneralSecurityException("a key store in memory could not be made", impossible);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    // ---- DER (X.690) ----

    private static byte[] name(String commonName) {
        byte[] text = der(UTF8_STRING, commonName.getBytes(StandardCharsets.UTF_8));
        return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text)));
    }

    private static byte[] alternativeNames(String[] hosts) {
        byte[][] names = new byte[hosts.length][];
        for (int i = 0; i < hosts.length; i++) {
            boolean address = hosts[i].contains(":") || hosts[i].matches("[0-9.]+");
            try {
                names[i] = address
                        ? der(IP_ADDRESS, InetAddress.getByName(hosts[i]).getAddress())
                        : der(DNS_NAME, hosts[i].getBytes(StandardCharsets.US_ASCII));
            } catch (UnknownHostException malformed) {
                throw new IllegalArgumentException("'" + hosts[i] + "' is no IP address", malformed);
            }
        }
        return der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, der(SEQUENCE, names)));
    }

    private static byte[] time(Instant at) {
        return der(GENERALIZED_TIME, TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >>> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
