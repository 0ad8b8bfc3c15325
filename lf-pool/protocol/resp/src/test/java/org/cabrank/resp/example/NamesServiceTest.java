package org.cabrank.resp.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.resp.Resp;
import org.cabrank.resp.RespReader;
import org.cabrank.resp.RespValue;
import org.cabrank.resp.RespWriter;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of the README and of the package documentation. */
@Timeout(60)
class NamesServiceTest {

    @Test
    void theExampleOfTheReadmeIsTheClass() throws Exception {
        Matcher block =
                Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(Path.of("README.md")));
        assertTrue(block.find(), "the README has no example");
        assertEquals(
                Files.readString(Path.of("src/test/java/org/cabrank/resp/example/NamesService.java")), block.group(1));
    }

    @Test
    void theExampleKeepsNames() {
        try (EmbeddedConnection client =
                EmbeddedConnection.open(Resp.server().handler(new NamesService(new ConcurrentHashMap<>())))) {
            client.peerSends("SET bird wren\r\nGET bird\r\nGET fish\r\nHELLO 3\r\nGET fish\r\nHELLO 4\r\nDEL\r\n");
            assertEquals(
                    "+OK\r\n$4\r\nwren\r\n$-1\r\n%2\r\n$6\r\nserver\r\n$5\r\nnames\r\n$5\r\nproto\r\n:3\r\n_\r\n"
                            + "-NOPROTO unsupported protocol version\r\n"
                            + "-ERR unknown command or wrong number of arguments\r\n",
                    client.peerReceives());
        }
    }

    @Test
    void theExampleServes() throws Exception {
        try (StreamServer server = NamesService.start(0);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.getOutputStream().write("SET a b\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals("+OK", new String(client.getInputStream().readNBytes(3), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void theExampleOfThePackageDocumentationEchoes() throws Exception {
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(Resp.server().handlers(() -> (connection, command, reply) -> {
                    if (command.is(0, "ECHO") && command.count() == 2) {
                        reply.bulk(command.argument(1)); // a view of the received bytes
                    } else {
                        reply.error("ERR unknown command");
                    }
                }))
                .start();
        try (server;
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.getOutputStream().write("ECHO wren\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals("$4\r\nwren", new String(client.getInputStream().readNBytes(8), StandardCharsets.US_ASCII));
        }
    }

    /** A client on a reactor, as the README describes it. */
    @Test
    void aClientReadsReplies() throws Exception {
        LinkedBlockingQueue<RespValue> replies = new LinkedBlockingQueue<>();
        try (StreamServer server = NamesService.start(0);
                StreamReactor reactor = StreamReactor.builder().start()) {
            reactor.connect(server.localAddress(), new ConnectionHandler() {
                private final RespReader reader = new RespReader();

                @Override
                public void opened(Connection connection) {
                    RespWriter writer = RespWriter.of(connection);
                    writer.array(2);
                    writer.bulk("HELLO");
                    writer.bulk("3");
                }

                @Override
                public void data(Connection connection, ByteBuffer data) throws Exception {
                    for (RespValue value = reader.read(data); value != null; value = reader.read(data)) {
                        replies.add(value);
                    }
                }
            });
            RespValue.MapValue map = (RespValue.MapValue) replies.poll(20, TimeUnit.SECONDS);
            assertEquals(4, map.keysAndValues().size());
        }
    }
}
