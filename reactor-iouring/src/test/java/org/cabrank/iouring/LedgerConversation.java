package org.cabrank.iouring;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.cabrank.iouring.RingLedger.Then;
import org.cabrank.stream.contract.TestClient;

/** One connection to a {@link RingLedger}, from its first byte to one of many ends. All that comes back is compared. */
final class LedgerConversation {
    private static final int MESSAGES_MAX = 6;
    private static final int PAYLOAD_MAX = 40 << 10;
    private static final int PIECE_MAX = 24 << 10;

    /** Bytes that are sent ahead of the answers, at most, before the last piece. */
    private static final int WINDOW_MAX = 48 << 10;

    /** End of a connection, and the moment of it. */
    enum End {
        ORDERLY(Then.GO_ON, false),
        HALF_CLOSE(Then.GO_ON, false),
        SERVER_CLOSE(Then.CLOSE, false),
        SERVER_CLOSE_EARLY(Then.CLOSE, true),
        SERVER_ABORT(Then.ABORT, true),
        SERVER_THROW(Then.THROW, true),
        LEAVE(Then.GO_ON, true),
        RESET(Then.GO_ON, true);

        private final Then then;
        private final boolean early;

        End(Then then, boolean early) {
            this.then = then;
            this.early = early;
        }
    }

    private static final End[] ENDS = End.values();

    private final int number;
    private final Random random;
    private final End end;
    private final byte[] stream;
    private final byte[] received = new byte[16 << 10];

    /** The message at which this client leaves early, if it does. */
    private final int leaveAt;

    private int sent;
    private int compared;

    LedgerConversation(int number, Random random) {
        this.number = number;
        this.random = random;
        this.end = ENDS[random.nextInt(ENDS.length)];
        this.stream = messages();
        this.leaveAt = end.early && end.then == Then.GO_ON ? random.nextInt(stream.length) : stream.length;
    }

    private byte[] messages() {
        int count = 1 + random.nextInt(MESSAGES_MAX);
        int marked = end.early ? random.nextInt(count) : count - 1;
        int[] lengths = random.ints(count, 0, 4)
                .map(kind -> 1 + random.nextInt(kind == 0 ? PAYLOAD_MAX : kind == 1 ? 2_000 : 64))
                .toArray();
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(lengths).sum() + count * RingLedger.HEADER_BYTES);
        for (int i = 0; i < count; i++) {
            Then then = i == marked ? end.then : Then.GO_ON;
            all.putInt(lengths[i]).putInt(number).putInt(i).putInt(then.ordinal());
            byte[] payload = new byte[lengths[i]];
            random.nextBytes(payload);
            all.put(payload);
        }
        return all.array();
    }

    /**
     * @throws IOException when the connection ended though nobody ended it
     * @throws AssertionError when something else has come than was sent, or not all of it
     */
    void hold(SocketAddress address) throws IOException {
        try (TestClient client = TestClient.connect(address)) {
            try {
                exchange(client);
                finish(client);
            } catch (IOException broken) {
                if (!end.early || end.then == Then.GO_ON) {
                    throw new IOException(this + " broke", broken);
                }
            }
        }
    }

    /** Sends in pieces, some of them ahead of the answers. */
    private void exchange(TestClient client) throws IOException {
        while (sent < leaveAt) {
            int size = 1 + random.nextInt(random.nextBoolean() ? PIECE_MAX : 100);
            int piece = Math.min(leaveAt - sent, size);
            client.send(Arrays.copyOfRange(stream, sent, sent + piece));
            sent += piece;
            int window = RingLedger.HEADER_BYTES + random.nextInt(WINDOW_MAX); // a part of a header is not answered
            while (sent - compared > window && compare(client)) {
                continue;
            }
        }
    }

    private void finish(TestClient client) throws IOException {
        if (end == End.LEAVE) {
            return; // with unread bytes that is a reset, without an orderly end
        }
        if (end == End.RESET) {
            client.reset();
            return;
        }
        if (end == End.HALF_CLOSE) {
            client.endOutput();
        }
        boolean more = true;
        while (more && !(end == End.ORDERLY && compared == stream.length)) {
            more = compare(client);
        }
        if (!end.early && compared < stream.length) {
            throw new AssertionError(this + " ended after " + compared + " bytes");
        }
    }

    /** False: the server has ended the connection. */
    private boolean compare(TestClient client) throws IOException {
        int count = client.channel().read(ByteBuffer.wrap(received));
        if (count < 0) {
            if (end.then == Then.GO_ON && end != End.HALF_CLOSE) {
                throw new AssertionError(this + " was ended by the server after " + compared + " bytes");
            }
            return false;
        }
        int differs = count > sent - compared
                ? sent - compared
                : Arrays.mismatch(stream, compared, compared + count, received, 0, count);
        if (differs >= 0) {
            throw new AssertionError(this + ": byte " + (compared + differs) + " is not what was sent there");
        }
        compared += count;
        return true;
    }

    @Override
    public String toString() {
        return "connection " + number + " (" + stream.length + " bytes, " + end + ")";
    }
}
