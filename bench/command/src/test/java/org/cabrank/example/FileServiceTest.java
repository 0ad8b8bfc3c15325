package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file service of lf-pool/README.md. */
class FileServiceTest {
    @TempDir
    Path dir;

    @Test
    void aClientGetsTheFileAndTheEnd() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(1).nextBytes(content);
        Path path = Files.write(dir.resolve("file"), content);
        try (StreamReactor reactor = StreamReactor.builder().start();
                ReactorFile file = reactor.openFile(path);
                Socket client = new Socket()) {
            client.setSoTimeout(120_000);
            client.connect((InetSocketAddress)
                    FileService.listen(reactor, 0, file, content.length).address());
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals("5000000", new String(in.readNBytes(8)).strip());
            assertArrayEquals(content, in.readNBytes(content.length));
            assertEquals(-1, in.read());
        }
    }

    @Test
    void theHandlerClosesWhenTheClientHasTakenTheFile() throws Exception {
        Path path = Files.writeString(dir.resolve("file"), "0123456789");
        try (ReactorFile file = EmbeddedConnection.openFile(path);
                EmbeddedConnection connection = EmbeddedConnection.open(new FileService.Sender(file, 10))) {
            assertEquals("10\n0123456789", connection.peerReceives());
            assertTrue(connection.isOutputEnded());
            assertFalse(connection.isReset());
        }
    }
}
