package org.cabrank.bench.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands of the service and their replies. A line end is shown as a bar. */
@Timeout(300)
final class RespHandlerTest {
    private static final String PROTOCOL_ERROR = "-ERR Protocol error: ";

    private EmbeddedConnection client = EmbeddedConnection.open(new RespHandler(HandlerWork.NONE));

    @AfterEach
    void disconnect() {
        client.close();
    }

    /** Returns words as an array of strings. */
    private static String command(String... words) {
        StringBuilder command = new StringBuilder("*" + words.length + "|");
        for (String word : words) {
            command.append("$").append(word.length()).append("|").append(word).append("|");
        }
        return command.toString();
    }

    private String ask(String bytes) {
        client.peerSends(bytes.replace("|", "\r\n"));
        return client.peerReceives().replace("\r\n", "|");
    }

    @ParameterizedTest
    @CsvSource({
        "PING, +PONG|",
        "ping, +PONG|",
        "GET text, $5|value|",
        "GET none, $-1|",
        "SET text other, +OK|",
        "INCR number, :8|",
        "INCR none, :1|",
        "INCR text, -ERR value is not a number or out of range|",
        "INCR largest, -ERR value is not a number or out of range|",
        "DEL text none number, :2|",
        "CONFIG GET save, *2|$4|save|$0||",
        "DEBUG SLEEP 0.001, +OK|",
        "DEBUG SLEEP long, -ERR value is not a number or out of range|",
        "FLUSHALL, -ERR unknown command or wrong number of arguments|",
        "GET, -ERR unknown command or wrong number of arguments|",
    })
    void commandsAreAnswered(String words, String reply) {
        ask(command("SET", "text", "value")
                + command("SET", "number", "7")
                + command("SET", "largest", Long.toString(Long.MAX_VALUE)));
        assertEquals(reply, ask(command(words.split(" "))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000})
    void aPipelineIsAnsweredInOrderHoweverItIsCut(int pieceBytes) {
        String commands = (command("SET", "key", "a\rb\nc") + "PING|" + command("GET", "key")).repeat(3);
        String bytes = commands.replace("|", "\r\n");
        for (int at = 0; at < bytes.length(); at += pieceBytes) {
            client.peerSends(bytes.substring(at, Math.min(bytes.length(), at + pieceBytes)));
        }
        assertEquals("+OK|+PONG|$5|a\rb\nc|".repeat(3), client.peerReceives().replace("\r\n", "|"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "*0|, invalid multibulk length",
                "*17|, invalid multibulk length",
                "*x|, invalid multibulk length",
                "*1234567, invalid multibulk length",
                "*1|+PING|, expected '$'",
                "*1|$-1|, invalid bulk length",
                "*1|$1|PING|, invalid bulk length",
                "*1|$|, invalid bulk length",
                "*1|$32768|, invalid bulk length",
                "GET / HTTP/1.1|, ~expected an array, or PING and CR LF~",
            })
    void bytesThatAreNoCommandGetAnErrorAndAClose(String bytes, String error) {
        assertEquals("+PONG|" + PROTOCOL_ERROR + error + "|", ask("PING|" + bytes + "PING|"));
        assertTrue(client.isOutputEnded());
    }

    @Test
    void aCommandOf32KiBIsTheLargest() {
        int rest = command("SET", "key", "").replace("|", "\r\n").length()
                + "2768".length(); // of 32768 one digit is there
        String value = "x".repeat(RespParser.COMMAND_BYTES_MAX - rest);
        assertEquals("+OK|", ask(command("SET", "key", value)));
        assertEquals(PROTOCOL_ERROR + "invalid bulk length|", ask(command("SET", "key", value + "x")));
    }

    @Test
    void commandsWaitForAPeerThatDoesNotTakeItsReplies() {
        String value = "x".repeat(30_000);
        ask(command("SET", "key", value));
        client.peerTakes(0);
        assertEquals("", ask(command("GET", "key").repeat(1_000)));
        assertFalse(client.connection().isWritable());
        client.peerTakes(EmbeddedConnection.UNLIMITED);
        assertEquals(
                ("$30000|" + value + "|").repeat(1_000), client.peerReceives().replace("\r\n", "|"));
    }

    @Test
    void offloadedCommandsAreAnsweredInOrder() {
        HandlerWork slow = new HandlerWork(
                BusyWork.NONE, new SlowRequests(1_000, 1), HandlerWork.SlowPath.offloadedTo(Runnable::run));
        client.close();
        client = EmbeddedConnection.open(new RespHandler(slow));
        assertEquals("+OK|$3|one|+PONG|", ask(command("SET", "a", "one") + command("GET", "a") + "PING|"));
    }
}
