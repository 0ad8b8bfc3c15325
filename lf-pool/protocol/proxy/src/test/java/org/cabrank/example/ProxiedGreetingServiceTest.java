package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.cabrank.proxy.ProxyHeader;
import org.cabrank.proxy.ProxySsl;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of the page works. */
@Timeout(300)
class ProxiedGreetingServiceTest {
    @Test
    void theExampleGreetsTheClientOfAProxy() throws Exception {
        InetSocketAddress client = new InetSocketAddress(InetAddress.getByName("192.0.2.33"), 50_001);
        ProxyHeader header = ProxyHeader.v2(client, new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 443))
                .withSsl(new ProxySsl(ProxySsl.TLS, 0, java.util.List.of()));
        try (StreamServer server = ProxiedGreetingService.start(0);
                Socket proxy = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            proxy.setSoTimeout(120_000);
            proxy.getOutputStream().write(header.encode().array());
            proxy.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            String expected = "welcome /192.0.2.33:50001, by TLS\nhello";
            byte[] answer = proxy.getInputStream().readNBytes(expected.length());
            assertEquals(expected, new String(answer, StandardCharsets.US_ASCII));
        }
    }
}
