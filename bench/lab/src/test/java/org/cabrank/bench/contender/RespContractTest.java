package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of all contenders for Redis clients: the commands that redis-benchmark sends, with the same replies of the same bytes. */
@ParameterizedClass(name = "{0}")
@MethodSource("servers")
@Timeout(300)
record RespContractTest(String name) {
    private static final String PING = "*1\r\n$4\r\nPING\r\n";
    private static final String SET = "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$3\r\nabc\r\n";
    private static final String GET = "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n";
    private static final String GET_NONE = "*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n";
    private static final String SLEEP = "*3\r\n$5\r\nDEBUG\r\n$5\r\nSLEEP\r\n$4\r\n0.01\r\n";

    private static RunningServer server;

    static Stream<String> servers() {
        return Stream.concat(
                Contenders.forRedisClients().stream().map(Contender::name), Stream.of("netty-epoll-group"));
    }

    @BeforeParameterizedClassInvocation
    static void start(String name) throws Exception {
        server = Servers.start(name, Servers.settings(Protocol.RESP));
    }

    @AfterParameterizedClassInvocation
    static void end() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Test
    void commandsOfRedisBenchmarkAreAnswered() throws Exception {
        assertAnswers(PING + SET + GET + GET_NONE, "+PONG\r\n+OK\r\n$3\r\nabc\r\n$-1\r\n");
    }

    @Test
    void pipelinesAreAnsweredInOrder() throws Exception {
        assertAnswers((SET + PING + GET).repeat(300), "+OK\r\n+PONG\r\n$3\r\nabc\r\n".repeat(300));
    }

    @Test
    void aCommandMayComeInPieces() throws Exception {
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            for (char piece : (SET + GET).toCharArray()) {
                send(socket, String.valueOf(piece));
            }
            assertEquals("+OK\r\n$3\r\nabc\r\n", receive(socket, 14));
        }
    }

    @Test
    void longValuesAreKept() throws Exception {
        String value = "0123456789".repeat(3_000);
        assertAnswers(
                "*3\r\n$3\r\nSET\r\n$4\r\nlong\r\n$" + value.length() + "\r\n" + value
                        + "\r\n*2\r\n$3\r\nGET\r\n$4\r\nlong\r\n",
                "+OK\r\n$" + value.length() + "\r\n" + value + "\r\n");
    }

    @Test
    void aSleepIsAnsweredAfterItsTime() throws Exception {
        long beginNs = System.nanoTime();
        assertAnswers(SLEEP, "+OK\r\n");
        assertTrue(System.nanoTime() - beginNs >= 10_000_000, "answered too early");
    }

    @Test
    void unknownCommandsGetAnError() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "*1\r\n$4\r\nFOOO\r\n");
            assertEquals("-ERR unknown command", receive(socket, 20));
        }
    }

    private static void assertAnswers(String commands, String replies) throws Exception {
        try (Socket socket = connect()) {
            send(socket, commands);
            assertEquals(replies, receive(socket, replies.length()));
        }
    }

    private static Socket connect() throws IOException {
        Socket socket = Servers.connect(server, Protocol.RESP);
        socket.setSoTimeout(120_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }
}
