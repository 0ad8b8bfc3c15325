package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service of lf-pool/README.md. */
class FrameServiceTest {
    private ExecutorService slowWork;
    private StreamServer server;
    private Socket client;
    private DataInputStream in;

    @BeforeEach
    void connect() throws IOException {
        slowWork = OffloadExecutors.platformThreads("slow-work", 2, 10);
        server = FrameService.start(0, slowWork);
        client = new Socket();
        client.connect((InetSocketAddress) server.localAddress());
        client.setTcpNoDelay(true);
        client.setSoTimeout(120_000);
        in = new DataInputStream(client.getInputStream());
    }

    @AfterEach
    void end() throws IOException {
        client.close();
        server.close();
        slowWork.shutdown();
    }

    private static byte[] frames(String... payloads) {
        ByteBuffer bytes = ByteBuffer.allocate(1024);
        for (String payload : payloads) {
            bytes.putInt(payload.length()).put(payload.getBytes(StandardCharsets.US_ASCII));
        }
        byte[] out = new byte[bytes.position()];
        bytes.flip().get(out);
        return out;
    }

    private String next() throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII);
    }

    @Test
    void aFrameThatComesByteByByteIsAnsweredOnce() throws IOException {
        for (byte one : frames("fast", "S slow", "last")) {
            client.getOutputStream().write(one);
        }
        assertEquals("fast", next());
        assertEquals("S slow", next());
        assertEquals("last", next());
        client.shutdownOutput();
        assertEquals(-1, in.read());
    }

    @Test
    void framesBehindOffloadedWorkAreAnsweredInOrder() throws IOException {
        byte[] requests = frames("S 1", "2", "S 3", "4", "5", "S 6");
        client.getOutputStream().write(requests);
        assertArrayEquals(requests, in.readNBytes(requests.length));
    }

    @Test
    void handlerIsTestedWithoutASocket() throws IOException {
        try (EmbeddedConnection peer = EmbeddedConnection.open(new FrameService.Frames(Runnable::run))) {
            byte[] requests = frames("fast", "S slow", "last");
            for (byte one : requests) {
                peer.peerSends(ByteBuffer.wrap(new byte[] {one}));
            }
            byte[] answers = new byte[requests.length];
            peer.peerReceivesBytes().get(answers);
            assertArrayEquals(requests, answers);
            peer.peerSends(ByteBuffer.wrap(new byte[] {0, 0, 0, 0}));
            assertEquals(ProtocolException.class, peer.closeCause().getClass());
        }
    }

    @Test
    void aFrameThatIsTooLongClosesTheConnection() throws IOException {
        new DataOutputStream(client.getOutputStream()).writeInt(1 << 20);
        assertEquals(-1, in.read());
    }
}
