package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** Embedded connections that may begin with a PROXY header. The peer of an embedded connection is at 127.0.0.1, port 50,000. */
final class ProxiedConnections {
    static final InetSocketAddress PEER = SampleHeaders.address("127.0.0.1", 50_000);
    static final ProxyHeader HEADER = SampleHeaders.withEachField();
    static final Duration SECOND = Duration.ofSeconds(1);

    private ProxiedConnections() {}

    static ProxyProtocol.Builder trusting() {
        return ProxyProtocol.builder().trusted("127.0.0.0/8");
    }

    static EmbeddedConnection open(ProxyProtocol protocol, ConnectionHandler handler) {
        return EmbeddedConnection.open(protocol.handlers(() -> handler).get());
    }

    static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }

    static ByteBuffer behind(ProxyHeader header, String text) {
        ByteBuffer encoded = header.encode();
        return ByteBuffer.allocate(encoded.remaining() + text.length())
                .put(encoded)
                .put(ascii(text))
                .flip();
    }

    /** Counters in the order of the record, as text of digits. */
    static String counts(ProxyProtocol protocol) {
        ProxyProtocolCounters all = protocol.counters();
        return "" + all.version1() + all.version2() + all.local() + all.withoutHeader() + all.untrustedServed()
                + all.untrustedClosed() + all.malformed() + all.timedOut() + all.abandoned();
    }

    static String reason(EmbeddedConnection connection) {
        return assertInstanceOf(ProxyProtocolException.class, connection.closeCause())
                .getMessage();
    }

    static String text(ProxyHeader header) {
        return RecordingHandler.text(header.encode());
    }
}
