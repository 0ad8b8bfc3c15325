package org.cabrank.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.http.HttpResponder;

/**
 * Fuzz target: bytes of a client of HTTP. Requests must be those of a slow second reader, requests and errors the same however the
 * bytes are cut; each is answered once, nothing is answered behind an error, and every call of a responder consumes bytes. The first
 * four bytes of the input choose the cuts.
 */
public final class HttpFuzz {
    private static final int SEED_BYTES = Integer.BYTES;
    private static final int CUTS = 3;

    private HttpFuzz() {}

    /** For the fuzzer, which finds the method by its name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < SEED_BYTES) {
            return;
        }
        SplittableRandom random =
                new SplittableRandom(ByteBuffer.wrap(input, 0, SEED_BYTES).getInt());
        ByteBuffer stream = ByteBuffer.wrap(input, SEED_BYTES, input.length - SEED_BYTES)
                .slice()
                .asReadOnlyBuffer();
        ParsedRequests parsed = parse(List.of(stream.duplicate()));
        List<String> whole = parsed.outcomes();
        List<String> slowly = SlowHttpReader.requests(
                StandardCharsets.ISO_8859_1.decode(stream.duplicate()).toString());
        check(parsed.requests().equals(slowly), "read as " + parsed.requests() + ", slowly as " + slowly);
        for (int i = 0; i < CUTS; i++) {
            List<ByteBuffer> pieces = Pieces.of(stream, random, 1 + random.nextInt(1 << 2 * (i + 1)));
            List<String> cutOtherwise = parse(pieces).outcomes();
            check(whole.equals(cutOtherwise), "cut otherwise: " + whole + " and " + cutOtherwise);
        }
        checkAnswers(stream.duplicate(), whole.size());
    }

    private static ParsedRequests parse(List<ByteBuffer> pieces) {
        ParsedRequests requests = new ParsedRequests();
        for (ByteBuffer piece : pieces) {
            if (!requests.read(piece.duplicate())) {
                return requests;
            }
        }
        requests.end();
        return requests;
    }

    private static void checkAnswers(ByteBuffer stream, int outcomes) {
        HttpResponder responder = new HttpResponder(HandlerWork.NONE);
        ByteBuffer out = ByteBuffer.allocate(2 * HttpResponder.ANSWER_BYTES_MAX);
        int answers = 0;
        while (stream.hasRemaining()) {
            int before = stream.remaining();
            responder.answer(stream, out.clear());
            check(stream.remaining() < before, "the answer consumed nothing");
            String text = StandardCharsets.US_ASCII.decode(out.flip()).toString();
            answers += text.split("HTTP/1.1 ", -1).length - 1;
        }
        int expected = responder.ended() ? outcomes : outcomes - 1; // the last outcome is then the state in between
        check(answers == expected, answers + " answers to " + expected + " requests");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
