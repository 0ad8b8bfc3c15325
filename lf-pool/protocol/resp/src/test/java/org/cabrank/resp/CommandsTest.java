package org.cabrank.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class CommandsTest {
    private static final String GET = "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";

    /** Arguments of the commands that a handler has seen, in order. Answers each with its number. */
    private static final class Recorder implements RespHandler {
        final List<List<String>> commands = new ArrayList<>();
        String malformed;

        @Override
        public void command(Connection connection, RespCommand command, RespWriter reply) {
            commands.add(IntStream.range(0, command.count())
                    .mapToObj(i -> text(command.argument(i)))
                    .toList());
            reply.integer(commands.size());
        }

        @Override
        public void malformed(Connection connection, RespException cause, RespWriter reply) throws Exception {
            malformed = cause.getMessage();
            RespHandler.super.malformed(connection, cause, reply);
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    private static ByteBuffer bytes(String text) {
        return StandardCharsets.ISO_8859_1.encode(text);
    }

    private static String array(List<String> arguments) {
        return "*" + arguments.size() + "\r\n"
                + arguments.stream()
                        .map(one -> "$" + one.length() + "\r\n" + one + "\r\n")
                        .collect(Collectors.joining());
    }

    private static List<List<String>> commands(Random random) {
        List<List<String>> commands = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int arguments = 1 + random.nextInt(i == 5 ? 40 : 4);
            commands.add(IntStream.range(0, arguments)
                    .mapToObj(any -> random.ints(random.nextInt(9), 0, 256)
                            .mapToObj(one -> String.valueOf((char) one))
                            .collect(Collectors.joining()))
                    .toList());
        }
        return commands;
    }

    private static void assertSees(List<List<String>> expected, String stream, int... cuts) {
        Recorder recorder = new Recorder();
        String when = "cut at " + Arrays.toString(cuts);
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler(recorder))) {
            int from = 0;
            for (int cut : cuts) {
                connection.peerSends(bytes(stream.substring(from, cut)));
                from = cut;
            }
            connection.peerSends(bytes(stream.substring(from)));
            connection.peerEnds();
            assertNull(connection.closeCause(), when);
            assertTrue(connection.isClosed(), when);
            assertEquals(
                    IntStream.rangeClosed(1, expected.size())
                            .mapToObj(i -> ":" + i + "\r\n")
                            .collect(Collectors.joining()),
                    connection.peerReceives(),
                    when);
        }
        assertEquals(expected, recorder.commands, when);
        assertNull(recorder.malformed, when);
    }

    @Test
    void commandsArriveWholeHoweverTheBytesAreCut() {
        Random random = new Random(20);
        List<List<String>> commands = commands(random);
        StringBuilder bytes = new StringBuilder();
        commands.forEach(command -> bytes.append(array(command)));
        bytes.append("*0\r\n\r\n*-1\r\n set  k \"a b\\x41\\n\" 'it\\'s'\r\nping\n");
        commands.add(List.of("set", "k", "a bA\n", "it's"));
        commands.add(List.of("ping"));
        String stream = bytes.toString();
        for (int cut = 1; cut < stream.length(); cut++) {
            assertSees(commands, stream, cut);
        }
        assertSees(commands, stream);
        assertSees(commands, stream, IntStream.range(1, stream.length()).toArray());
        for (int round = 0; round < 50; round++) {
            assertSees(
                    commands,
                    stream,
                    random.ints(1 + random.nextInt(8), 1, stream.length())
                            .sorted()
                            .distinct()
                            .toArray());
        }
    }

    /** Longer than what may stay unread, than the unread limit of the connection, and than one receive. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 17_000, 70_000, 1 << 20})
    void longArgumentsArriveWholeHoweverTheBytesAreCut(int length) {
        String value = "0123456789\r\n$".repeat(length / 13 + 1).substring(0, length);
        List<List<String>> commands =
                List.of(List.of("PING"), List.of("SET", "k", value), List.of("GET", "k"), List.of("SET", value, value));
        String stream = commands.stream().map(CommandsTest::array).collect(Collectors.joining());
        assertSees(commands, stream);
        Random random = new Random(length);
        for (int round = 0; round < 10; round++) {
            assertSees(
                    commands,
                    stream,
                    random.ints(1 + random.nextInt(40), 1, stream.length())
                            .sorted()
                            .distinct()
                            .toArray());
        }
    }

    @Test
    void argumentsAreComparedAndReadWithoutText() {
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    reply.array(6);
                    reply.bool(command.is(0, "GET"));
                    reply.bool(command.word(0) == RespCommand.word("get"));
                    reply.integer(command.length(1));
                    reply.bool(command.isInteger(1));
                    reply.integer(command.isInteger(1) ? command.integer(1) : command.byteAt(1, 0));
                    reply.bulk(command.argument(1));
                }))) {
            connection.peerSends("geT -17\r\nGETX abc\r\n");
            assertEquals(
                    "*6\r\n:1\r\n:1\r\n:3\r\n:1\r\n:-17\r\n$3\r\n-17\r\n"
                            + "*6\r\n:0\r\n:0\r\n:3\r\n:0\r\n:97\r\n$3\r\nabc\r\n",
                    connection.peerReceives());
        }
    }

    @Test
    void aKeptCommandStaysValid() {
        List<RespCommand> kept = new ArrayList<>();
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> kept.add(command.keep())))) {
            connection.peerSends("set key ''\r\nget other\r\n");
        }
        assertEquals(2, kept.size());
        assertEquals(3, kept.get(0).count());
        assertEquals("key", kept.get(0).text(1));
        assertEquals(0, kept.get(0).length(2));
        assertEquals("other", text(kept.get(1).argument(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        "-1, true",
        "7, true",
        "9223372036854775807, true",
        "-9223372036854775808, true",
        "9223372036854775808, false",
        "-9223372036854775809, false",
        "99999999999999999999, false",
        "-0, false",
        "00, false",
        "01, false",
        "+1, false",
        "1x, false",
        "-, false",
        "1.0, false",
        "18446744073709551617, false",
    })
    void integersAreDecimalAndFitIntoALong(String text, boolean isInteger) throws RespException {
        RespCommand command = new RespCommand();
        new CommandParser(RespLimits.DEFAULT).parse(bytes(array(List.of("x", text))), command);
        assertEquals(isInteger, command.isInteger(1));
        if (isInteger) {
            assertEquals(Long.parseLong(text), command.integer(1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'*x|', invalid multibulk length",
        "'*1000001|', invalid multibulk length",
        "'*65537|', invalid multibulk length",
        "'*01|', invalid multibulk length",
        "'*99999999999999999999|', invalid multibulk length",
        "'*1\r ', invalid multibulk length",
        "'*1|x', 'expected ''$'', got ''x'''",
        "'*1|$-1|', invalid bulk length",
        "'*1|$1048577|', invalid bulk length",
        "'*1|$+1|', invalid bulk length",
        "'*1|$1|ab|', invalid bulk length",
        "'a ''b|', unbalanced quotes in request",
        "'a \"b\"c|', unbalanced quotes in request",
    })
    void malformedBytesGetTheMessageOfRedisAndTheConnectionEnds(String bytes, String message) {
        String stream = GET + bytes.replace("|", "\r\n") + GET;
        for (int cut = GET.length(); cut < stream.length() - GET.length(); cut++) {
            Recorder recorder = new Recorder();
            try (EmbeddedConnection connection =
                    EmbeddedConnection.open(Resp.server().handler(recorder))) {
                connection.peerSends(stream.substring(0, cut));
                connection.peerSends(stream.substring(cut));
                assertEquals(":1\r\n-ERR Protocol error: " + message + "\r\n", connection.peerReceives());
                assertTrue(connection.isOutputEnded());
                connection.peerSends(GET);
                connection.peerEnds();
                assertTrue(connection.isClosed());
                assertNull(connection.closeCause());
                assertEquals("", connection.peerReceives());
                assertEquals(message, recorder.malformed);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PING, 'too big inline request'",
        "*, 'too big mbulk count string'",
        "'*1\r\n$', 'too big bulk count string'",
    })
    void linesHaveALimit(String beginning, String message) {
        String line = beginning + "1".repeat(70_000);
        for (int piece : new int[] {line.length(), 60_000, 5_000}) {
            try (EmbeddedConnection connection =
                    EmbeddedConnection.open(Resp.server().handler(new Recorder()))) {
                for (int at = 0; at < line.length(); at += piece) {
                    connection.peerSends(line.substring(at, Math.min(line.length(), at + piece)));
                }
                assertEquals("-ERR Protocol error: " + message + "\r\n", connection.peerReceives());
            }
        }
    }

    @Test
    void commandsHaveALimitInAll() {
        RespLimits limits = RespLimits.DEFAULT.withTotalBytesMax(2_000).withStringBytesMax(1_000);
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server(limits).handler(new Recorder()))) {
            connection.peerSends(array(List.of("a", "b".repeat(900))));
            connection.peerSends(array(List.of("a", "b".repeat(900), "c".repeat(900), "d".repeat(900))));
            assertEquals(":1\r\n-ERR Protocol error: too big request\r\n", connection.peerReceives());
        }
    }

    @Test
    void smallUnreadLimitsDoNotLimitCommands() {
        StreamLimits limits = StreamLimits.DEFAULT.withUnreadLimit(1 << 10);
        Recorder recorder = new Recorder();
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler(recorder), limits, StreamTimeouts.DEFAULT)) {
            String stream = array(List.of("SET", "k", "v".repeat(5_000)));
            for (int at = 0; at < stream.length(); at += 100) {
                connection.peerSends(stream.substring(at, Math.min(stream.length(), at + 100)));
            }
            assertFalse(connection.isClosed());
        }
        assertEquals(5_000, recorder.commands.get(0).get(2).length());
    }

    @Test
    void aHandlerThatThrowsClosesTheConnectionAfterTheRepliesBefore() {
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    if (command.is(0, "FAIL")) {
                        throw new IllegalStateException("wanted");
                    }
                    reply.ok();
                }))) {
            connection.peerSends("a\r\nfail\r\nb\r\n");
            assertTrue(connection.isClosed());
            assertEquals("wanted", connection.closeCause().getMessage());
        }
    }
}
