package org.cabrank.proxy;

import java.util.List;
import java.util.Optional;

/**
 * The proxy's description of the client's TLS connection ({@link ProxyTlv#SSL}).
 *
 * @param client bits {@link #TLS}, {@link #CERTIFICATE_OF_CONNECTION} and {@link #CERTIFICATE_OF_SESSION}, from 0 to 255
 * @param verify 0 if the client has presented a certificate and the proxy has verified it. If not, any other number.
 * @param tlvs subfields, such as {@link ProxyTlv#SSL_VERSION}
 */
public record ProxySsl(int client, int verify, List<ProxyTlv> tlvs) {
    /** PP2_CLIENT_SSL: the client is connected by TLS. */
    public static final int TLS = 0x01;

    /** PP2_CLIENT_CERT_CONN: the client has presented a certificate on this connection. */
    public static final int CERTIFICATE_OF_CONNECTION = 0x02;

    /** PP2_CLIENT_CERT_SESS: the client has presented a certificate on some connection of its TLS session. */
    public static final int CERTIFICATE_OF_SESSION = 0x04;

    private static final int CLIENT_MAX = 0xff;

    public ProxySsl {
        if (client < 0 || client > CLIENT_MAX) {
            throw new IllegalArgumentException("the bits of the client are from 0 to 255, not " + client);
        }
        tlvs = List.copyOf(tlvs);
    }

    public boolean isTls() {
        return (client & TLS) != 0;
    }

    /** Returns true if the client has presented a verified certificate, on this or an earlier connection of its TLS session. */
    public boolean hasVerifiedCertificate() {
        return (client & (CERTIFICATE_OF_CONNECTION | CERTIFICATE_OF_SESSION)) != 0 && verify == 0;
    }

    /** Version of TLS, such as TLSv1.3. */
    public Optional<String> version() {
        return text(ProxyTlv.SSL_VERSION);
    }

    /** Common name of the client's certificate. It is trustworthy only if {@link #hasVerifiedCertificate} returns true. */
    public Optional<String> commonName() {
        return text(ProxyTlv.SSL_COMMON_NAME);
    }

    public Optional<String> cipher() {
        return text(ProxyTlv.SSL_CIPHER);
    }

    /** Algorithm with which the proxy's certificate is signed. */
    public Optional<String> signatureAlgorithm() {
        return text(ProxyTlv.SSL_SIGNATURE_ALGORITHM);
    }

    /** Algorithm of the key of the proxy's certificate. */
    public Optional<String> keyAlgorithm() {
        return text(ProxyTlv.SSL_KEY_ALGORITHM);
    }

    private Optional<String> text(int type) {
        return ProxyHeader.first(tlvs, type).map(ProxyTlv::text);
    }
}
