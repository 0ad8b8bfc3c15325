package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.proxy.ProxyHeader;
import org.cabrank.proxy.ProxySsl;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of the README is the class of this package, and works. */
@Timeout(300)
class ProxiedGreetingServiceTest {
    private static final Path MODULE = Path.of("").toAbsolutePath();

    @Test
    void theExampleOfTheReadmeIsTheClass() throws Exception {
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(MODULE.resolve("README.md")));
        assertTrue(block.find(), "the README has no example");
        assertEquals(
                Files.readString(MODULE.resolve("src/test/java/org/cabrank/example/ProxiedGreetingService.java")),
                block.group(1));
    }

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
