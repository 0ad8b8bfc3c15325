package org.cabrank.framing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class FramingTest {
    private static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }

    private static ByteBuffer hex(String digits) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    /** Contents of the frames that a handler has seen, in order. */
    private static final class Recorder implements FrameHandler {
        final List<byte[]> frames = new ArrayList<>();
        final List<String> calls = new ArrayList<>();

        @Override
        public void frame(Connection connection, ByteBuffer frame) throws Exception {
            assertEquals(ByteOrder.BIG_ENDIAN, frame.order());
            byte[] content = new byte[frame.remaining()];
            frame.get(content);
            frames.add(content);
            calls.add(new String(content, StandardCharsets.US_ASCII));
        }

        void assertSaw(List<byte[]> expected, String when) {
            assertEquals(expected.size(), frames.size(), when);
            for (int i = 0; i < expected.size(); i++) {
                assertArrayEquals(expected.get(i), frames.get(i), when + ", frame " + i);
            }
        }
    }

    static Stream<Framing> framings() {
        return Stream.of(
                Framing.lengthPrefixed(1),
                Framing.lengthPrefixed(2),
                Framing.lengthPrefixed(2).order(ByteOrder.LITTLE_ENDIAN),
                Framing.lengthPrefixed(3),
                Framing.lengthPrefixed(3).order(ByteOrder.LITTLE_ENDIAN).adjustment(-3),
                Framing.lengthPrefixed(4),
                Framing.lengthPrefixed(4).adjustment(-4),
                Framing.lengthPrefixed(8).order(ByteOrder.LITTLE_ENDIAN),
                Framing.varintPrefixed(),
                Framing.lines(1 << 12),
                Framing.delimited(ascii("--end").array(), 1 << 12),
                Framing.fixedSize(7));
    }

    /** The last content has more than 127 bytes: a variable-length prefix takes two. */
    private static final int CONTENTS = 7;

    /** Contents that the framing allows: the delimiters consist of bytes that these do not have. */
    private static List<byte[]> contents(Framing framing, Random random) {
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < CONTENTS; i++) {
            int size = framing instanceof FixedSize
                    ? framing.bytesMax()
                    : i == 0 ? 0 : i < CONTENTS - 1 ? random.nextInt(12) : 128 + random.nextInt(64);
            byte[] content = new byte[size];
            for (int at = 0; at < size; at++) {
                content[at] = (byte) (framing instanceof Delimited ? '0' + random.nextInt(60) : random.nextInt());
            }
            contents.add(content);
        }
        return contents;
    }

    private static byte[] encoded(Framing framing, List<byte[]> contents) {
        try (EmbeddedConnection sender = EmbeddedConnection.open((connection, data) -> {})) {
            for (byte[] content : contents) {
                framing.write(sender.connection(), ByteBuffer.wrap(content));
            }
            sender.awaitIdle();
            ByteBuffer sent = sender.peerReceivesBytes();
            return Arrays.copyOf(sent.array(), sent.limit());
        }
    }

    private static void assertDecodes(Framing framing, byte[] bytes, List<byte[]> expected, int... cuts) {
        Recorder recorder = new Recorder();
        String when = framing + " cut at " + Arrays.toString(cuts);
        try (EmbeddedConnection receiver = EmbeddedConnection.open(framing.handler(recorder))) {
            int from = 0;
            for (int cut : cuts) {
                receiver.peerSends(ByteBuffer.wrap(bytes, from, cut - from));
                from = cut;
            }
            receiver.peerSends(ByteBuffer.wrap(bytes, from, bytes.length - from));
            receiver.peerEnds();
            assertNull(receiver.closeCause(), when);
            assertTrue(receiver.isClosed(), when);
        }
        recorder.assertSaw(expected, when);
    }

    @ParameterizedTest
    @MethodSource("framings")
    void framesArriveWholeHoweverTheBytesAreCut(Framing framing) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> contents = contents(framing, random);
        byte[] bytes = encoded(framing, contents);
        assertDecodes(framing, bytes, contents);
        for (int cut = 1; cut < bytes.length; cut++) {
            assertDecodes(framing, bytes, contents, cut);
        }
        int[] everyByte = new int[bytes.length - 1];
        Arrays.setAll(everyByte, i -> i + 1);
        assertDecodes(framing, bytes, contents, everyByte);
        for (int round = 0; round < 20; round++) {
            int[] cuts = random.ints(1 + random.nextInt(8), 1, bytes.length)
                    .sorted()
                    .distinct()
                    .toArray();
            assertDecodes(framing, bytes, contents, cuts);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, BIG, 0, 03 616263",
        "2, BIG, 0, 0003 616263",
        "2, LITTLE, 0, 0300 616263",
        "3, BIG, 0, 000003 616263",
        "3, LITTLE, 0, 030000 616263",
        "4, BIG, -4, 00000007 616263",
        "4, LITTLE, 0, 03000000 616263",
        "8, BIG, 0, 0000000000000003 616263",
        "8, LITTLE, 0, 0300000000000000 616263",
    })
    void lengthsHaveTheirSizeOrderAndAdjustment(int size, String order, int adjustment, String expected) {
        LengthPrefixed framing = Framing.lengthPrefixed(size)
                .order(order.equals("BIG") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .adjustment(adjustment);
        byte[] bytes = new byte[hex(expected).remaining()];
        hex(expected).get(bytes);
        assertArrayEquals(bytes, encoded(framing, List.of(ascii("abc").array())));
        assertDecodes(framing, bytes, List.of(ascii("abc").array()));
    }

    @Test
    void varintsHaveSevenBitsInAByte() {
        byte[] content = new byte[300];
        byte[] bytes = encoded(Framing.varintPrefixed(), List.of(content));
        assertEquals(302, bytes.length);
        assertEquals((byte) 0xac, bytes[0]);
        assertEquals((byte) 0x02, bytes[1]);
    }

    /** The form of a protocol with a type in front of the length, which counts the whole frame. */
    @Test
    void headersInFrontOfTheLengthArePartOfWholeFrames() {
        LengthPrefixed framing =
                Framing.lengthPrefixed(2).offset(1).adjustment(-3).wholeFrames();
        Recorder recorder = new Recorder();
        try (EmbeddedConnection receiver = EmbeddedConnection.open(framing.handler(recorder))) {
            receiver.peerSends(hex("51 0005 6162 52 0003"));
            assertEquals(2, recorder.frames.size());
            assertArrayEquals(hex("51 0005 6162").array(), recorder.frames.get(0));
            assertArrayEquals(hex("52 0003").array(), recorder.frames.get(1));
            assertThrows(IllegalStateException.class, () -> framing.write(receiver.connection(), ascii("x")));
        }
    }

    @Test
    void linesEndWithOrWithoutACarriageReturn() {
        Recorder recorder = new Recorder();
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(64).handler(recorder))) {
            receiver.peerSends("one\r\ntwo\n\r\n\nthr\ree\r");
            receiver.peerSends("\n");
            assertEquals(List.of("one", "two", "", "", "thr\ree"), recorder.calls);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0041, a frame of 67 bytes exceeds the bound of 64 bytes",
        "ffff, a frame of 65537 bytes exceeds the bound of 64 bytes",
    })
    void aFrameThatIsTooLongClosesTheConnectionWithTheReason(String prefix, String reason) {
        Recorder recorder = new Recorder();
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lengthPrefixed(2).max(64).handler(recorder))) {
            receiver.peerSends(hex("0001 61" + prefix));
            assertEquals(List.of("a"), recorder.calls);
            assertInstanceOf(FrameException.class, receiver.closeCause());
            assertTrue(
                    receiver.closeCause().getMessage().startsWith(reason),
                    receiver.closeCause().getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 8000000000000000", "8, ffffffffffffffff", "8, 7fffffffffffffff", "4, ffffffff", "3, ffffff"})
    void lengthsOfAnySizeAreBounded(int size, String prefix) {
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lengthPrefixed(size).handler(new Recorder()))) {
            receiver.peerSends(hex(prefix));
            assertInstanceOf(FrameException.class, receiver.closeCause());
        }
    }

    @Test
    void aLengthThatCountsLessThanItselfIsNoFrame() {
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lengthPrefixed(4).adjustment(-4).handler(new Recorder()))) {
            receiver.peerSends(hex("00000003"));
            assertInstanceOf(FrameException.class, receiver.closeCause());
        }
    }

    @Test
    void aVarintWithoutEndIsNoFrame() {
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.varintPrefixed().handler(new Recorder()))) {
            receiver.peerSends(hex("80808080"));
            assertFalse(receiver.isClosed());
            receiver.peerSends(hex("80"));
            assertInstanceOf(FrameException.class, receiver.closeCause());
        }
    }

    @Test
    void aLineWithoutEndIsBounded() {
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(16).handler(new Recorder()))) {
            receiver.peerSends("0123456789abcde");
            assertFalse(receiver.isClosed(), "one byte more may be the end");
            receiver.peerSends("f");
            assertInstanceOf(FrameException.class, receiver.closeCause());
        }
    }

    @Test
    void aHandlerMayAnswerWhatIsNoFrame() {
        List<String> calls = new ArrayList<>();
        FrameHandler polite = new FrameHandler() {
            @Override
            public void frame(Connection connection, ByteBuffer frame) {
                calls.add("frame");
            }

            @Override
            public void malformed(Connection connection, FrameException cause) {
                connection.write(ascii("too long\n"));
            }
        };
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(4).handler(polite))) {
            receiver.peerSends("ab\nabcdefgh\nab\n");
            receiver.peerSends("ab\n");
            assertEquals("too long\n", receiver.peerReceives());
            assertTrue(receiver.isOutputEnded());
            receiver.peerEnds();
            assertTrue(receiver.isClosed());
            assertNull(receiver.closeCause());
            assertEquals(List.of("frame"), calls);
        }
    }

    @Test
    void aFrameExceptionOfTheHandlerIsNoMalformedFrame() {
        List<String> calls = new ArrayList<>();
        FrameException own = new FrameException("the handler's own");
        FrameHandler throwing = new FrameHandler() {
            @Override
            public void frame(Connection connection, ByteBuffer frame) throws Exception {
                throw own;
            }

            @Override
            public void malformed(Connection connection, FrameException cause) {
                calls.add("malformed");
            }
        };
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(4).handler(throwing))) {
            receiver.peerSends("a\n");
            assertEquals(own, receiver.closeCause());
            assertEquals(List.of(), calls);
        }
    }

    @Test
    void thePeersEndWithinAFrameIsReported() {
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(64).handler(new Recorder()))) {
            receiver.peerSends("whole\npart");
            receiver.peerEnds();
            assertInstanceOf(FrameException.class, receiver.closeCause());
            assertTrue(receiver.closeCause().getMessage().contains("4 bytes into a frame"));
        }
    }

    @Test
    void framesBehindAPauseFollowWhenReadingContinues() {
        Recorder recorder = new Recorder();
        FrameHandler pausing = (connection, frame) -> {
            recorder.frame(connection, frame);
            connection.pauseReading();
        };
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(64).handler(pausing))) {
            receiver.peerSends("one\ntwo\nthree\npart");
            assertEquals(List.of("one"), recorder.calls);
            receiver.connection().resumeReading();
            receiver.awaitIdle();
            assertEquals(List.of("one", "two"), recorder.calls);
            receiver.connection().resumeReading();
            receiver.awaitIdle();
            receiver.connection().resumeReading();
            receiver.awaitIdle();
            receiver.peerSends("ly\n");
            assertEquals(List.of("one", "two", "three", "partly"), recorder.calls);
        }
    }

    @Test
    void framesBehindOffloadedWorkFollowItsContinuation() {
        List<String> calls = new ArrayList<>();
        List<Runnable> work = new ArrayList<>();
        FrameHandler offloading = (connection, frame) -> {
            String text = StandardCharsets.US_ASCII.decode(frame).toString();
            calls.add("begin " + text);
            connection.offload(work::add, () -> text, (own, result) -> calls.add("end " + result));
        };
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(64).handler(offloading))) {
            receiver.peerSends("one\ntwo\n");
            assertEquals(List.of("begin one"), calls);
            work.remove(0).run();
            receiver.awaitIdle();
            assertEquals(List.of("begin one", "end one", "begin two"), calls);
            work.remove(0).run();
            receiver.awaitIdle();
            assertEquals("end two", calls.get(3));
        }
    }

    @Test
    void framesDuringANestedWaitAreProcessedOnce() {
        List<String> calls = new ArrayList<>();
        List<org.cabrank.lf.Reply<String>> replies = new ArrayList<>();
        FrameHandler waiting = (connection, frame) -> {
            String text = StandardCharsets.US_ASCII.decode(frame).toString();
            calls.add("begin " + text);
            if (text.equals("wait")) {
                org.cabrank.lf.Reply<String> reply = connection.newReply();
                replies.add(reply);
                calls.add("reply " + reply.await(java.time.Duration.ofSeconds(120)));
            }
        };
        try (EmbeddedConnection receiver =
                EmbeddedConnection.open(Framing.lines(64).handler(waiting))) {
            receiver.peerSends("wait\ntwo\nthr");
            assertEquals(List.of("begin wait", "begin two"), calls);
            receiver.peerSends("ee\n");
            replies.get(0).complete("there");
            receiver.awaitIdle();
            assertEquals(List.of("begin wait", "begin two", "begin three", "reply there"), calls);
        }
    }

    @Test
    void contentThatIsNoFrameIsRefusedUnconsumed() {
        try (EmbeddedConnection sender = EmbeddedConnection.open((connection, data) -> {})) {
            ByteBuffer line = ascii("two\nlines");
            assertThrows(IllegalArgumentException.class, () -> Framing.lines(64).write(sender.connection(), line));
            assertEquals(9, line.remaining());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Framing.lengthPrefixed(1).write(sender.connection(), ByteBuffer.allocate(256)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Framing.lengthPrefixed(4).max(64).write(sender.connection(), ByteBuffer.allocate(61)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Framing.fixedSize(4).write(sender.connection(), ByteBuffer.allocate(5)));
            sender.awaitIdle();
            assertEquals("", sender.peerReceives());
        }
    }

    /** Each content of few letters arrives as one frame, or is refused because a receiver would find another end. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "aa", "ab", "aba", "aab", "abab", "aaa", "abaab"})
    void aContentThatIsTakenArrivesAsItIs(String delimiter) {
        Framing framing = Framing.delimited(ascii(delimiter).array(), 64);
        for (int length = 0; length <= 5; length++) {
            for (int letters = 0; letters < 1 << length; letters++) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < length; i++) {
                    text.append((letters >> i & 1) == 0 ? 'a' : 'b');
                }
                List<byte[]> contents = List.of(ascii(text.toString()).array());
                if ((text + delimiter).indexOf(delimiter) == length) {
                    assertDecodes(framing, encoded(framing, contents), contents);
                } else {
                    assertThrows(IllegalArgumentException.class, () -> encoded(framing, contents), text + delimiter);
                }
            }
        }
    }

    @Test
    void framesThatDoNotFitIntoTheLimitsAreRefusedAtTheBeginning() {
        StreamLimits limits = StreamLimits.DEFAULT.withUnreadLimit(1 << 10);
        try (EmbeddedConnection receiver = EmbeddedConnection.open(
                Framing.lines(2 << 10).handler(new Recorder()), limits, StreamTimeouts.DEFAULT)) {
            assertInstanceOf(IllegalStateException.class, receiver.closeCause());
            assertTrue(receiver.closeCause().getMessage().contains("StreamLimits.unreadLimit"));
        }
    }

    @Test
    void theLongestFrameFits() {
        byte[] content = new byte[Framing.BYTES_MAX_DEFAULT - 4];
        new Random(3).nextBytes(content);
        byte[] bytes = encoded(Framing.lengthPrefixed(4), List.of(content));
        assertDecodes(Framing.lengthPrefixed(4), bytes, List.of(content), 3, 1000, 40_000, bytes.length - 1);
    }
}
