package org.cabrank.http.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies with the coding gzip in pieces of any size: members, optional parts of a header, the bound, and what is malformed. Several cases
 * are faults that other clients and servers had.
 */
@Timeout(300)
class GzipDecoderTest {
    private static final byte[] TEXT = "all work and no play\n".repeat(200).getBytes(StandardCharsets.US_ASCII);

    /** The decoded body, or the status of the error; decoded in pieces of so many coded bytes. */
    private static final class Decoded {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int result = BodyDecoder.INCOMPLETE;
        private boolean complete;
        private int largest;

        Decoded(byte[] coded, int pieceBytes, long bytesMax) {
            BodyDecoder body = new BodyDecoder(HttpLimits.DEFAULT.withBodyBytes(HttpLimits.UNLIMITED));
            body.begin(BodyDecoder.UNTIL_END);
            try (GzipDecoder decoder = new GzipDecoder(bytesMax)) {
                for (int at = 0; at < coded.length && isGood(); at += pieceBytes) {
                    ByteBuffer piece = ByteBuffer.wrap(coded, at, Math.min(pieceBytes, coded.length - at));
                    while (piece.hasRemaining() && isGood()) {
                        assertEquals(BodyDecoder.PIECE, body.next(piece));
                        result = decoder.next(body, piece);
                        if (result == BodyDecoder.PIECE) {
                            ByteBuffer decoded = decoder.piece().duplicate().flip();
                            largest = Math.max(largest, decoded.remaining());
                            while (decoded.hasRemaining()) {
                                bytes.write(decoded.get());
                            }
                        }
                    }
                }
                complete = decoder.isComplete();
            }
        }

        private boolean isGood() {
            return result == BodyDecoder.PIECE || result == BodyDecoder.INCOMPLETE;
        }
    }

    private static Decoded decoded(byte[] coded, int pieceBytes) {
        return new Decoded(coded, pieceBytes, Long.MAX_VALUE);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static void assertDecodes(byte[] expected, byte[] coded) {
        for (int pieceBytes : new int[] {1, 2, 3, 7, 8, 9, 10, 64, coded.length}) {
            Decoded decoded = decoded(coded, pieceBytes);
            assertArrayEquals(expected, decoded.bytes.toByteArray(), "in pieces of " + pieceBytes);
            assertTrue(decoded.isGood() && decoded.complete);
        }
    }

    private static void assertMalformed(byte[] coded) {
        for (int pieceBytes : new int[] {1, coded.length}) {
            Decoded decoded = decoded(coded, pieceBytes);
            assertTrue(decoded.result == HttpStatus.BAD_REQUEST || !decoded.complete, Arrays.toString(coded));
        }
    }

    @Test
    void bodiesOfAllKindsAreDecodedInPiecesOfAnySize() {
        byte[] random = new byte[100_000];
        new Random(7).nextBytes(random);
        assertDecodes(TEXT, Gzip.encode(TEXT));
        assertDecodes(random, Gzip.encode(random));
        assertDecodes(new byte[0], Gzip.encode(new byte[0]));
        assertDecodes(new byte[0], new byte[0]);
    }

    /** curl #22156 and #3796, bun #33708, tornado #3560: members behind the first were lost, or failed the response. */
    @Test
    void allMembersAreDecodedWhereverTheyAreSplit() {
        byte[] first = Gzip.encode(TEXT);
        byte[] both = joined(first, Gzip.encode(new byte[0]), Gzip.encode(TEXT));
        assertDecodes(joined(TEXT, TEXT), both);
        for (int split = 1; split < both.length; split++) {
            assertArrayEquals(joined(TEXT, TEXT), decoded(both, split).bytes.toByteArray(), "split at " + split);
        }
    }

    /** tornado #2714: a site sends a zero behind its body. gunzip ignores zeros, too. */
    @Test
    void zerosBehindTheLastMemberAreIgnored() {
        assertDecodes(TEXT, joined(Gzip.encode(TEXT), new byte[1]));
        assertDecodes(TEXT, joined(Gzip.encode(TEXT), new byte[600]));
        assertMalformed(joined(Gzip.encode(TEXT), new byte[1], Gzip.encode(TEXT)));
        assertMalformed(joined(new byte[1], Gzip.encode(TEXT)));
    }

    /** tower-http #737: other bytes behind the body were taken for the beginning of a header, whose rest never came. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "garbage", "longer than the header of a member", "\u001f"})
    void otherBytesBehindTheLastMemberAreRefused(String more) {
        assertMalformed(joined(Gzip.encode(TEXT), more.getBytes(StandardCharsets.US_ASCII)));
    }

    /** undici #2123: a body that is cut off must not pass for a whole one. */
    @Test
    void aBodyThatIsCutOffAnywhereIsNotComplete() {
        byte[] whole = Gzip.encode(TEXT);
        for (int length = 1; length < whole.length; length++) {
            Decoded cut = decoded(Arrays.copyOf(whole, length), 5);
            assertTrue(cut.isGood());
            assertFalse(cut.complete, "after " + length + " bytes");
        }
    }

    @Test
    void optionalPartsOfAHeaderAreSkipped() {
        byte[] plain = Gzip.encode(TEXT);
        byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
        for (int flags = 0; flags < 32; flags++) {
            byte[] header = Arrays.copyOf(plain, 10);
            header[3] = (byte) flags;
            byte[] extra = (flags & 4) == 0 ? new byte[0] : new byte[] {3, 1, 9, 9, 9};
            if (extra.length > 0) {
                extra = joined(extra, new byte[256]);
            }
            byte[] name = (flags & 8) == 0 ? new byte[0] : new byte[] {'a', 'b', 0};
            byte[] comment = (flags & 16) == 0 ? new byte[0] : new byte[] {0};
            byte[] checksum = (flags & 2) == 0 ? new byte[0] : new byte[] {1, 2};
            assertDecodes(TEXT, joined(header, extra, name, comment, checksum, rest));
        }
        byte[] noExtra = Arrays.copyOf(plain, 10);
        noExtra[3] = 4;
        assertDecodes(TEXT, joined(noExtra, new byte[2], rest));
    }

    @Test
    void wrongHeadersChecksumsAndLengthsAreRefused() {
        byte[] whole = Gzip.encode(TEXT);
        for (int at :
                new int[] {0, 1, 2, 3, 12, whole.length - 8, whole.length - 5, whole.length - 4, whole.length - 1}) {
            byte[] wrong = whole.clone();
            wrong[at] ^= (byte) 0x80;
            assertMalformed(wrong);
        }
    }

    /** servicetalk #3475: the bound was one of each step, and not of the body. */
    @Test
    void theBoundIsThatOfAllPiecesAndMembers() {
        byte[] bomb = Gzip.encode(new byte[1 << 20]);
        assertTrue(bomb.length < 1_100);
        byte[] members = joined(bomb, bomb, bomb);
        for (int pieceBytes : new int[] {1, 100, members.length}) {
            Decoded bounded = new Decoded(members, pieceBytes, 5 << 19);
            assertEquals(HttpStatus.CONTENT_TOO_LARGE, bounded.result);
            assertTrue(bounded.bytes.size() <= 5 << 19);
            Decoded whole = new Decoded(members, pieceBytes, 3 << 20);
            assertTrue(whole.complete);
            assertEquals(3 << 20, whole.bytes.size());
            assertTrue(whole.largest <= 32 << 10, whole.largest + " bytes in a piece");
        }
    }
}
