package org.cabrank.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Headers of each kind, and random ones. */
final class SampleHeaders {
    static final InetSocketAddress CLIENT = address("192.0.2.33", 50_001);
    static final InetSocketAddress LISTENER = address("198.51.100.7", 443);
    static final InetSocketAddress CLIENT_6 = address("2001:db8::33", 50_002);
    static final InetSocketAddress LISTENER_6 = address("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 65_535);

    private SampleHeaders() {}

    static InetSocketAddress address(String literal, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(literal), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    static ProxyHeader withEachField() {
        return ProxyHeader.v2(CLIENT, LISTENER)
                .withAlpn("h2")
                .withAuthority("example.org")
                .withUniqueId(new byte[] {1, 2, 3})
                .withSsl(ssl())
                .with(new ProxyTlv(ProxyTlv.NETWORK_NAMESPACE, "blue"))
                .with(new ProxyTlv(0xea, new byte[0]))
                .withChecksum();
    }

    static ProxySsl ssl() {
        return new ProxySsl(
                ProxySsl.TLS | ProxySsl.CERTIFICATE_OF_CONNECTION,
                0,
                List.of(
                        new ProxyTlv(ProxyTlv.SSL_VERSION, "TLSv1.3"),
                        new ProxyTlv(ProxyTlv.SSL_COMMON_NAME, "client"),
                        new ProxyTlv(ProxyTlv.SSL_CIPHER, "TLS_AES_128_GCM_SHA256"),
                        new ProxyTlv(ProxyTlv.SSL_SIGNATURE_ALGORITHM, "SHA256"),
                        new ProxyTlv(ProxyTlv.SSL_KEY_ALGORITHM, "RSA2048")));
    }

    static List<ProxyHeader> each() {
        return List.of(
                ProxyHeader.v1(CLIENT, LISTENER),
                ProxyHeader.v1(CLIENT_6, LISTENER_6),
                ProxyHeader.v1(CLIENT, LISTENER_6),
                ProxyHeader.v1Unknown(),
                ProxyHeader.v2(CLIENT, LISTENER),
                ProxyHeader.v2(CLIENT_6, LISTENER_6),
                ProxyHeader.v2(CLIENT_6, LISTENER).withDatagrams(),
                ProxyHeader.v2(UnixDomainSocketAddress.of("/run/client"), UnixDomainSocketAddress.of("")),
                ProxyHeader.v2Unknown(),
                ProxyHeader.v2Local(),
                withEachField());
    }

    /** A header with random addresses and fields. */
    static ProxyHeader random(Random random) {
        if (random.nextInt(8) == 0) {
            return each().get(random.nextInt(each().size()));
        }
        if (random.nextInt(3) == 0) {
            return ProxyHeader.v1(randomAddress(random), randomAddress(random));
        }
        ProxyHeader header = random.nextInt(4) == 0
                ? ProxyHeader.v2(randomPath(random), randomPath(random))
                : ProxyHeader.v2(randomAddress(random), randomAddress(random));
        for (int i = random.nextInt(5); i > 0; i--) {
            header = header.with(randomField(random));
        }
        if (random.nextInt(3) == 0) {
            header = header.withSsl(new ProxySsl(
                    random.nextInt(256), random.nextInt(), List.of(randomField(random), randomField(random))));
        }
        header = random.nextInt(4) == 0 ? header.withDatagrams() : header;
        return random.nextBoolean() ? header.withChecksum() : header;
    }

    private static InetSocketAddress randomAddress(Random random) {
        byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
        random.nextBytes(bytes);
        return new InetSocketAddress(IpLiteral.address(bytes), random.nextInt(65_536));
    }

    private static UnixDomainSocketAddress randomPath(Random random) {
        return UnixDomainSocketAddress.of("/" + "p".repeat(random.nextInt(108)));
    }

    private static ProxyTlv randomField(Random random) {
        List<Integer> types =
                new ArrayList<>(List.of(ProxyTlv.ALPN, ProxyTlv.AUTHORITY, ProxyTlv.UNIQUE_ID, 0xe0, 0xff));
        byte[] value = new byte[random.nextInt(ProxyHeader.UNIQUE_ID_BYTES_MAX + 1)];
        random.nextBytes(value);
        return new ProxyTlv(types.get(random.nextInt(types.size())), value);
    }
}
