package org.cabrank.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.resp.KeyValueStore;
import org.cabrank.bench.resp.RespService;
import org.cabrank.resp.Resp;
import org.cabrank.resp.RespException;
import org.cabrank.resp.RespLimits;
import org.cabrank.resp.RespReader;
import org.cabrank.resp.RespValue;

/**
 * Fuzz target: bytes of a Redis client. Commands and errors must be the same however the bytes are cut, nothing follows an error, replies
 * of the service are RESP, one for each command, and values that a reader accepts are the same however the bytes are cut. The first
 * four bytes of the input choose the cuts.
 */
public final class RespFuzz {
    private static final int SEED_BYTES = Integer.BYTES;
    private static final int CUTS = 2;

    /** Enough for each limit; longer inputs in pieces of one byte would take most of the time. */
    private static final int BYTES_MAX = 1_200;

    private static final RespLimits LIMITS = RespLimits.DEFAULT
            .withLineBytesMax(64)
            .withStringBytesMax(400)
            .withElementsMax(20)
            .withTotalBytesMax(1_000)
            .withNestingMax(4);

    private RespFuzz() {}

    /** For the fuzzer, which finds the method by its name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < SEED_BYTES) {
            return;
        }
        SplittableRandom random =
                new SplittableRandom(ByteBuffer.wrap(input, 0, SEED_BYTES).getInt());
        ByteBuffer stream = ByteBuffer.wrap(input, SEED_BYTES, Math.min(BYTES_MAX, input.length - SEED_BYTES))
                .slice()
                .asReadOnlyBuffer();
        List<String> commands = commands(List.of(stream.duplicate()));
        List<String> values = values(List.of(stream.duplicate()));
        for (int i = 0; i < CUTS; i++) {
            List<ByteBuffer> pieces = Pieces.of(stream, random, 1 + random.nextInt(1 << 3 * (i + 1)));
            check(commands.equals(commands(pieces)), "cut otherwise: " + commands + " and " + commands(pieces));
            check(values.equals(values(pieces)), "cut otherwise: " + values + " and " + values(pieces));
        }
        serve(stream);
    }

    private static List<String> commands(List<ByteBuffer> pieces) {
        List<String> commands = new ArrayList<>();
        String replies = new DrivenConnection(Resp.server(LIMITS).handler((own, command, reply) -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < command.count(); i++) {
                        text.append(new String(command.copy(i), StandardCharsets.ISO_8859_1))
                                .append(command.isInteger(i) ? command.integer(i) : command.word(i))
                                .append('|');
                    }
                    commands.add(text.toString());
                }))
                .receive(pieces);
        commands.add(replies);
        return commands;
    }

    private static List<String> values(List<ByteBuffer> pieces) {
        RespReader reader = new RespReader(LIMITS);
        List<String> values = new ArrayList<>();
        try {
            for (ByteBuffer piece : pieces) {
                ByteBuffer data = piece.duplicate();
                while (data.hasRemaining()) {
                    RespValue value = reader.read(data);
                    if (value != null) {
                        values.add(value instanceof RespValue.BulkString bulk ? bulk.text() : shown(value));
                    }
                }
            }
        } catch (RespException malformed) {
            values.add(malformed.getMessage());
        }
        return values;
    }

    /** Strings within an aggregate have the names of their arrays. */
    private static String shown(RespValue value) {
        return value.toString().replaceAll("\\[B@[0-9a-f]+", "bytes");
    }

    private static void serve(ByteBuffer stream) {
        if (StandardCharsets.ISO_8859_1
                .decode(stream.duplicate())
                .toString()
                .toUpperCase()
                .contains("DEBUG")) {
            return; // may sleep
        }
        RespService service = new RespService(new KeyValueStore(4_000));
        String replies = new DrivenConnection(service.handlers(HandlerWork.NONE).get()).receive(List.of(stream));
        RespReader reader = new RespReader(RespLimits.DEFAULT.withTotalBytesMax(1 << 30));
        ByteBuffer left = StandardCharsets.ISO_8859_1.encode(replies);
        boolean whole = true;
        try {
            while (left.hasRemaining()) {
                whole = reader.read(left) != null;
            }
        } catch (RespException noReply) {
            throw new IllegalStateException("the service has sent what is no RESP: " + replies, noReply);
        }
        check(whole, "the last reply is incomplete: " + replies);
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
