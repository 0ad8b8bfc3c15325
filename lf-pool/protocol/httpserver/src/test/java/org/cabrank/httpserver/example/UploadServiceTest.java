package org.cabrank.httpserver.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of the package documentation is this code, and works. */
@Timeout(300)
class UploadServiceTest {
    private static final Path EXAMPLE = Path.of("src/test/java/org/cabrank/httpserver/example/UploadService.java");
    private static final Path PACKAGE = Path.of("src/main/java/org/cabrank/httpserver/package-info.java");
    private static final Pattern BLOCK = Pattern.compile("<pre>\\{@code\\n(.*?)\\n \\* }</pre>", Pattern.DOTALL);
    private static final int SIZE = 1_000_000;

    /** CRC-32 of a million zeros. */
    private static final String CHECKSUM = "1279cb9e";

    private static String folded(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void theDocumentationShowsTheService() throws Exception {
        Matcher block = BLOCK.matcher(Files.readString(PACKAGE));
        assertTrue(block.find());
        String shown = block.group(1).replaceAll("(?m)^ \\* ?", "");
        assertTrue(folded(Files.readString(EXAMPLE)).contains(folded(shown)), shown);
    }

    private static String upload(Socket socket) throws Exception {
        try (socket) {
            socket.setSoTimeout(120_000);
            String head =
                    "POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + SIZE + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[SIZE]);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    private static Socket connect(HttpServer server) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
    }

    @Test
    void uploadsAreAnsweredOnThreadsOfTheServerAndOfAnExecutor() throws Exception {
        ExecutorService executor = OffloadExecutors.virtualThreadsElse("upload", 4, 100);
        HttpServer own = UploadService.start(0, null);
        HttpServer elsewhere = UploadService.start(0, executor);
        try {
            assertEquals(CHECKSUM, upload(connect(own)));
            assertEquals(CHECKSUM, upload(connect(elsewhere)));
        } finally {
            own.stop(0);
            elsewhere.stop(0);
            executor.shutdown();
        }
    }

    @Test
    void uploadsAreAnsweredOverTls() throws Exception {
        Instant now = Instant.now();
        SelfSigned certificate = SelfSigned.of(now.minusSeconds(60), now.plusSeconds(3_600), "localhost");
        HttpServer server = UploadService.startSecure(0, certificate.context());
        try {
            Socket raw = connect(server);
            assertEquals(
                    CHECKSUM,
                    upload(SelfSigned.trusting(certificate.certificate())
                            .getSocketFactory()
                            .createSocket(raw, "localhost", raw.getPort(), true)));
        } finally {
            server.stop(0);
        }
    }
}
