package org.cabrank.netty.program;

import static org.cabrank.netty.program.RawWebSocket.BINARY;
import static org.cabrank.netty.program.RawWebSocket.CLOSE;
import static org.cabrank.netty.program.RawWebSocket.CONTINUATION;
import static org.cabrank.netty.program.RawWebSocket.PING;
import static org.cabrank.netty.program.RawWebSocket.PONG;
import static org.cabrank.netty.program.RawWebSocket.TEXT;
import static org.cabrank.netty.program.RawWebSocket.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Messages, control frames, fragments and closes of a WebSocket, in large and small segments: what the Autobahn test suite's descriptions of
 * its cases ask of the bytes below the codec. The numbers are those of the descriptions; the cases were written anew.
 */
class WebSocketCasesTest extends ProgramContract {
    private static final int MESSAGE_MAX = 8 << 20;
    private static final int MIB = 1 << 20;
    private static final byte[] NONE = {};

    /** Sizes of a piece: a segment for each octet, a segment for each frame, all at once. */
    private static final int OCTET = 1;

    private static final int FRAME = 0;
    private static final int ALL = Integer.MAX_VALUE;

    /** Codes with which the codec fails a connection. */
    private static final Set<Integer> FAILURES = Set.of(1002, 1007);

    /**
     * A case.
     *
     * @param piece bytes of a segment, or {@link #FRAME}
     * @param answers frames that the server sends, before the end if there is one
     */
    private record Case(String name, int piece, List<byte[]> frames, List<Answer> answers, End end) {}

    private record Answer(int opcode, byte[] payload) {}

    private enum End {
        /** The client closes. */
        NONE,
        /** The server answers the close. */
        CLOSED,
        /** The server fails the connection. */
        FAILED
    }

    private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();

    /** Reads no more while the peer does not read what was answered. */
    private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            context.writeAndFlush(frame.retain());
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // the decoder has sent the close
        }
    }

    private InetSocketAddress serve() {
        return addressOf(done(new ServerBootstrap()
                .group(group)
                .channel(transport.listening())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(65_536),
                                        new WebSocketServerProtocolHandler("/", null, false, MESSAGE_MAX),
                                        new WebSocketFrameAggregator(MESSAGE_MAX),
                                        new Echo());
                        accepted.add(channel);
                    }
                })
                .bind(loopback())));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) '*');
        return bytes;
    }

    private static byte[] closing(int code, String reason) {
        byte[] bytes = text(reason);
        return ByteBuffer.allocate(2 + bytes.length)
                .putShort((short) code)
                .put(bytes)
                .array();
    }

    private static Case echo(String name, int piece, int opcode, byte[] payload) {
        return new Case(
                name, piece, List.of(frame(opcode, true, payload)), List.of(new Answer(opcode, payload)), End.NONE);
    }

    private static Case fails(String name, int piece, byte[]... frames) {
        return new Case(name, piece, List.of(frames), List.of(), End.FAILED);
    }

    private static Case closes(String name, Answer answer, byte[]... frames) {
        return new Case(name, FRAME, List.of(frames), List.of(answer), End.CLOSED);
    }

    private static List<byte[]> fragments(int opcode, byte[] payload, int length) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < payload.length; i += length) {
            int end = Math.min(payload.length, i + length);
            frames.add(
                    frame(i == 0 ? opcode : CONTINUATION, end == payload.length, Arrays.copyOfRange(payload, i, end)));
        }
        return frames;
    }

    private static List<Case> messages() {
        List<Case> cases = new ArrayList<>();
        for (int length : new int[] {0, 125, 126, 128, 65_535, 65_536}) {
            cases.add(echo("1.1: text of " + length, ALL, TEXT, filled(length)));
        }
        for (int length : new int[] {0, 127, 65_536}) {
            cases.add(echo("1.2: binary of " + length, ALL, BINARY, new byte[length]));
        }
        cases.add(echo("1.1.8: text in segments of 997", 997, TEXT, filled(65_536)));
        cases.add(echo("1.2.8: binary in segments of 997", 997, BINARY, new byte[65_536]));
        cases.add(echo("9.1: large text", ALL, TEXT, filled(4 * MIB)));
        cases.add(echo("9.2: large binary", ALL, BINARY, new byte[4 * MIB]));
        cases.add(echo("9.5: large text in segments of 1,024", 1_024, TEXT, filled(MIB)));
        cases.add(echo("9.6: large binary in segments of 1,400", 1_400, BINARY, new byte[MIB]));
        byte[] large = filled(4 * MIB);
        cases.add(new Case(
                "9.3: large text in fragments",
                FRAME,
                fragments(TEXT, large, 65_536),
                List.of(new Answer(TEXT, large)),
                End.NONE));
        byte[] middle = filled(65_536);
        cases.add(new Case(
                "10.1: fragments of 1,300",
                FRAME,
                fragments(TEXT, middle, 1_300),
                List.of(new Answer(TEXT, middle)),
                End.NONE));
        return cases;
    }

    private static Case pings(String name, int piece, int count) {
        List<byte[]> frames = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(frame(PING, true, text("payload " + i)));
            answers.add(new Answer(PONG, text("payload " + i)));
        }
        return new Case(name, piece, frames, answers, End.NONE);
    }

    private static List<Case> controls() {
        byte[] binary = {0, (byte) 0xff, (byte) 0xfe, (byte) 0xfd, 0};
        byte[] longest = filled(125);
        byte[] pong = frame(PONG, true, text("unsolicited"));
        return List.of(
                ping("2.1: empty ping", ALL, NONE),
                ping("2.3: binary ping", ALL, binary),
                ping("2.4: longest ping", ALL, longest),
                fails("2.5: ping that is too long", ALL, frame(PING, true, filled(126))),
                ping("2.6: longest ping by octets", OCTET, longest),
                new Case("2.8: unsolicited pong", ALL, List.of(pong), List.of(), End.NONE),
                new Case(
                        "2.9: unsolicited pong and a ping",
                        ALL,
                        List.of(pong, frame(PING, true, text("x"))),
                        List.of(new Answer(PONG, text("x"))),
                        End.NONE),
                pings("2.10: ten pings", FRAME, 10),
                pings("2.11: ten pings by octets", OCTET, 10));
    }

    private static Case ping(String name, int piece, byte[] payload) {
        return new Case(name, piece, List.of(frame(PING, true, payload)), List.of(new Answer(PONG, payload)), End.NONE);
    }

    private static List<Case> fragmentation() {
        List<Case> cases = new ArrayList<>();
        byte[] first = frame(TEXT, false, text("fragment1"));
        byte[] second = frame(CONTINUATION, true, text("fragment2"));
        Answer both = new Answer(TEXT, text("fragment1fragment2"));
        byte[] ping = frame(PING, true, text("ping"));
        Answer pong = new Answer(PONG, text("ping"));
        byte[] whole = frame(TEXT, true, text("Hello"));
        byte[] lastOfNone = frame(CONTINUATION, true, text("non-continuation"));
        byte[] middleOfNone = frame(CONTINUATION, false, text("non-continuation"));
        cases.add(fails("5.1: ping in fragments", ALL, frame(PING, false, text("a")), second));
        cases.add(fails("5.2: pong in fragments", ALL, frame(PONG, false, text("a")), second));
        int number = 3;
        for (int piece : new int[] {ALL, FRAME, OCTET}) {
            cases.add(new Case(
                    "5." + number++ + ": two fragments", piece, List.of(first, second), List.of(both), End.NONE));
        }
        for (int piece : new int[] {ALL, FRAME, OCTET}) {
            cases.add(new Case(
                    "5." + number++ + ": a ping between fragments",
                    piece,
                    List.of(first, ping, second),
                    List.of(pong, both),
                    End.NONE));
        }
        for (byte[] ofNone : List.of(lastOfNone, middleOfNone)) {
            for (int piece : new int[] {ALL, FRAME, OCTET}) {
                cases.add(fails("5." + number++ + ": nothing to continue", piece, ofNone, whole));
            }
        }
        cases.add(new Case(
                "5.15: nothing to continue after a message",
                ALL,
                List.of(first, second, middleOfNone, whole),
                List.of(both),
                End.FAILED));
        cases.add(fails("5.16: nothing to continue, twice", ALL, middleOfNone, first, second, middleOfNone));
        cases.add(fails("5.17: last of nothing, twice", ALL, lastOfNone, first, second, lastOfNone));
        cases.add(fails("5.18: a second beginning", ALL, first, frame(TEXT, true, text("fragment2"))));
        List<byte[]> five = List.of(
                first,
                frame(CONTINUATION, false, text("fragment2")),
                ping,
                frame(CONTINUATION, false, text("fragment3")),
                frame(CONTINUATION, false, text("fragment4")),
                ping,
                frame(CONTINUATION, true, text("fragment5")));
        Answer all = new Answer(TEXT, text("fragment1fragment2fragment3fragment4fragment5"));
        cases.add(new Case("5.19: pings among five fragments", FRAME, five, List.of(pong, pong, all), End.NONE));
        cases.add(new Case("5.20: the same in one piece", ALL, five, List.of(pong, pong, all), End.NONE));
        return cases;
    }

    private static List<Case> closes() {
        byte[] normal = frame(CLOSE, true, closing(1_000, ""));
        Answer answer = new Answer(CLOSE, closing(1_000, ""));
        byte[] ping = frame(PING, true, text("late"));
        byte[] message = frame(TEXT, true, text("Hello"));
        byte[] large = filled(256 << 10);
        String longest = "*".repeat(123);
        return List.of(
                new Case(
                        "7.1.1: a message and the close",
                        FRAME,
                        List.of(message, normal),
                        List.of(new Answer(TEXT, text("Hello")), answer),
                        End.CLOSED),
                closes("7.1.2: two closes", answer, normal, normal),
                closes("7.1.3: a ping after the close", answer, normal, ping),
                closes("7.1.4: a message after the close", answer, normal, message),
                closes(
                        "7.1.5: a close between fragments",
                        answer,
                        frame(TEXT, false, text("fragment1")),
                        normal,
                        frame(CONTINUATION, true, text("fragment2"))),
                new Case(
                        "7.1.6: a large message and the close",
                        ALL,
                        List.of(frame(TEXT, true, large), normal),
                        List.of(new Answer(TEXT, large), answer),
                        End.CLOSED),
                closes("7.3.1: a close without a code", new Answer(CLOSE, NONE), frame(CLOSE, true, NONE)),
                fails("7.3.2: a close of one byte", ALL, frame(CLOSE, true, new byte[1])),
                closes(
                        "7.3.5: the longest reason",
                        new Answer(CLOSE, closing(1_000, longest)),
                        frame(CLOSE, true, closing(1_000, longest))),
                fails("7.3.6: a reason that is too long", ALL, frame(CLOSE, true, closing(1_000, longest + "*"))),
                new Case(
                        "7.9: a code that is not sent",
                        ALL,
                        List.of(frame(CLOSE, true, closing(2_999, ""))),
                        List.of(),
                        End.CLOSED));
    }

    @TestFactory
    Stream<DynamicTest> eachCaseHasItsAnswers() {
        InetSocketAddress server = serve();
        List<Case> cases = Stream.of(messages(), controls(), fragmentation(), closes())
                .flatMap(List::stream)
                .toList();
        return cases.stream().map(each -> DynamicTest.dynamicTest(each.name, () -> run(server, each)));
    }

    private static void run(InetSocketAddress server, Case tested) throws IOException {
        try (RawWebSocket client = new RawWebSocket(server, 0)) {
            try {
                send(client, tested);
            } catch (SocketException ended) {
                assertTrue(tested.end != End.NONE, () -> "ended: " + ended);
            }
            for (Answer expected : tested.answers) {
                RawWebSocket.Frame answer = client.read();
                assertEquals(expected.opcode, answer.opcode());
                assertArrayEquals(expected.payload, answer.payload());
            }
            if (tested.end == End.NONE) {
                client.send(frame(PING, true, text("alive")));
                assertArrayEquals(text("alive"), client.read().payload());
                return;
            }
            if (tested.end == End.FAILED) {
                int code = client.read().closeCode();
                assertTrue(FAILURES.contains(code), () -> "code " + code);
            }
            assertEnds(client);
        }
    }

    /** A server that has closed does not read what the client still sends, so that the client may see a reset. */
    private static void assertEnds(RawWebSocket client) throws IOException {
        try {
            for (; ; ) {
                assertEquals(CLOSE, client.read().opcode()); // the codec sends another after a failure
            }
        } catch (EOFException | SocketException ended) {
            return;
        }
    }

    private static void send(RawWebSocket client, Case tested) throws IOException {
        if (tested.piece == FRAME) {
            for (byte[] each : tested.frames) {
                client.send(each);
            }
            return;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        tested.frames.forEach(all::writeBytes);
        client.send(all.toByteArray(), Math.min(tested.piece, all.size()));
    }

    /** 9.7: many messages, each sent after the echo of the one before. */
    @Test
    void manyMessagesComeBackOneByOne() throws IOException {
        try (RawWebSocket client = new RawWebSocket(serve(), 0)) {
            for (int i = 0; i < 500; i++) {
                client.send(RawWebSocket.text("message " + i));
                assertEquals("message " + i, client.read().text());
            }
        }
    }

    /** The client sends until the server reads no more, because nobody reads the echoes. */
    @Test
    void serverStopsReadingWhileItsEchoesAreNotRead() throws Exception {
        int messages = 400;
        byte[] message = frame(BINARY, true, new byte[65_536]);
        try (RawWebSocket client = new RawWebSocket(serve(), 4_096)) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < messages; i++) {
                        client.send(message);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            Channel channel = accepted.peek();
            Await.until("the server reads no more", () -> !channel.config().isAutoRead());
            for (int i = 0; i < messages; i++) {
                assertEquals(65_536, client.read().payload().length);
            }
            sender.join(PATIENCE_MS);
        }
    }
}
