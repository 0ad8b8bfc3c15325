package org.cabrank.socket.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.stream.contract.TestClient;

/** A thread of clients of a soak server: one conversation after the other, and some connections that stand still beside. */
final class SoakClient {
    private static final int MESSAGES_MAX = 8;
    private static final int PAYLOAD_MAX = 40 << 10;
    private static final int PIECE_MAX = 24 << 10;
    private static final int WINDOW_MAX = 48 << 10;
    private static final int NEVER_READ_MESSAGES = 40;
    private static final int STILL_MAX = 12;
    private static final long PAUSE_NS = 1_000_000;

    /** The way a conversation goes. */
    private enum Manner {
        /** Sends everything, reads everything, closes. */
        TALK(50),
        /** Ends its output before it reads the last answers. */
        HALF_CLOSE(12),
        /** Sends byte by byte. */
        DRIBBLE(4),
        /** Has the server end the connection. */
        END(14),
        /** Closes in the middle, with answers unread. */
        LEAVE(6),
        /** Resets in the middle. */
        RESET(6),
        /** Sends, never reads, and stands still. */
        NEVER_READ(3),
        /** Sends half a header, or nothing, and stands still. */
        STALL(5);

        private final int percent;

        Manner(int percent) {
            this.percent = percent;
        }

        static Manner any(Random random) {
            int left = random.nextInt(100);
            for (Manner manner : values()) {
                left -= manner.percent;
                if (left < 0) {
                    return manner;
                }
            }
            return TALK;
        }

        boolean survives() {
            return this == TALK || this == HALF_CLOSE || this == DRIBBLE;
        }
    }

    private final SocketAddress address;
    private final SoakLedger ledger;
    private final Random random;
    private final Deque<TestClient> still = new ArrayDeque<>();
    private final byte[] received = new byte[16 << 10];
    private int number;
    private byte[] stream;
    private int sent;
    private int compared;

    SoakClient(SocketAddress address, SoakLedger ledger, Random random) {
        this.address = address;
        this.ledger = ledger;
        this.random = random;
    }

    /** Ends the connections that stand still. */
    void end() {
        while (!still.isEmpty()) {
            release();
        }
    }

    private void release() {
        try {
            if (random.nextBoolean()) {
                still.remove().reset();
            } else {
                still.remove().close();
            }
        } catch (IOException failed) {
            ledger.error("a connection that stood still: " + failed);
        }
    }

    void converse(int connectionNumber) {
        number = connectionNumber;
        Manner manner = Manner.any(random);
        stream = messages(number, manner);
        sent = 0;
        compared = 0;
        try {
            TestClient client =
                    manner == Manner.NEVER_READ ? TestClient.connectToReadLittle(address) : TestClient.connect(address);
            ledger.connected.incrementAndGet();
            if (manner == Manner.NEVER_READ) {
                standStill(client, stream.length);
            } else if (manner == Manner.STALL) {
                standStill(client, random.nextInt(SoakHandler.HEADER_BYTES));
            } else {
                try (client) {
                    exchange(client, manner);
                }
            }
        } catch (IOException broken) {
            ledger.error(manner + " client " + number + ": " + broken);
        }
    }

    private byte[] messages(int number, Manner manner) {
        int count = manner == Manner.NEVER_READ ? NEVER_READ_MESSAGES : 1 + random.nextInt(MESSAGES_MAX);
        int[] lengths =
                random.ints(count, 0, 8).map(kind -> payload(kind, manner)).toArray();
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(lengths).sum() + count * SoakHandler.HEADER_BYTES);
        int ending = manner == Manner.END ? random.nextInt(count) : count;
        for (int i = 0; i < count; i++) {
            SoakCommand command = i == ending ? SoakCommand.ending(random) : SoakCommand.surviving(random);
            if (manner == Manner.NEVER_READ) {
                command = SoakCommand.ECHO;
            }
            all.putInt(lengths[i]).putInt(number).putInt(i).putInt(command.ordinal());
            byte[] payload = new byte[lengths[i]];
            random.nextBytes(payload);
            all.put(payload);
        }
        return all.array();
    }

    private int payload(int kind, Manner manner) {
        if (manner == Manner.DRIBBLE) {
            return 1 + random.nextInt(20);
        }
        boolean longest = kind == 7 || manner == Manner.NEVER_READ;
        return 1 + random.nextInt(longest ? PAYLOAD_MAX : kind == 6 ? 2_000 : 64);
    }

    /** Sends what the socket takes at once, and keeps the connection. */
    private void standStill(TestClient client, int bytes) throws IOException {
        still.add(client);
        client.channel().configureBlocking(false);
        ByteBuffer all = ByteBuffer.wrap(stream, 0, bytes);
        try {
            while (all.hasRemaining() && client.channel().write(all) > 0) {
                continue;
            }
        } catch (IOException refused) {
            all.clear(); // the supplier has thrown
        }
        if (still.size() > STILL_MAX) {
            release();
        }
    }

    private void exchange(TestClient client, Manner manner) throws IOException {
        boolean leaves = manner == Manner.LEAVE || manner == Manner.RESET;
        boolean ended = false;
        try {
            ended = !talk(client, manner, leaves ? random.nextInt(stream.length) : stream.length);
            if (manner == Manner.HALF_CLOSE && !ended) {
                client.endOutput();
            }
            while (!leaves
                    && !ended
                    && (compared < stream.length || manner == Manner.HALF_CLOSE || manner == Manner.END)) {
                ended = !compare(client);
            }
        } catch (IOException reset) {
            ended = true;
        }
        ledger.answered.addAndGet(compared > 0 ? 1 : 0);
        if (manner == Manner.RESET) {
            client.reset();
        }
        if (manner.survives() && ended && compared == 0) {
            ledger.seenRefused.incrementAndGet();
        } else if (manner.survives()) {
            ledger.sentBytes.addAndGet(sent);
            ledger.comparedBytes.addAndGet(compared);
        }
    }

    /** Sends in pieces, some of them ahead of the answers; false when the connection has ended. */
    private boolean talk(TestClient client, Manner manner, int leaveAt) throws IOException {
        while (sent < leaveAt) {
            int size = 1 + random.nextInt(random.nextBoolean() ? PIECE_MAX : 100);
            int piece = Math.min(leaveAt - sent, manner == Manner.DRIBBLE ? 1 : size);
            client.send(Arrays.copyOfRange(stream, sent, sent + piece));
            sent += piece;
            // The server answers whole messages only.
            int window = SoakHandler.HEADER_BYTES + PAYLOAD_MAX + random.nextInt(WINDOW_MAX);
            while (sent - compared > window) {
                if (!compare(client)) {
                    return false;
                }
            }
            if (random.nextInt(32) == 0) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        return true;
    }

    /** Reads what has come and compares it; false at the orderly end. */
    private boolean compare(TestClient client) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(received, 0, 1 + random.nextInt(received.length));
        int count = client.channel().read(buffer);
        if (count < 0) {
            return false;
        }
        int surplus = Math.max(0, compared + count - sent);
        int differs = Arrays.mismatch(stream, compared, compared + count - surplus, received, 0, count - surplus);
        if (surplus > 0 || differs >= 0) {
            ledger.wrongBytes.addAndGet(Math.max(1, surplus));
            ledger.error("connection " + number + ": of " + count + " bytes from " + compared + " on, " + surplus
                    + " are beyond the last, and the first wrong byte is at " + differs);
        }
        compared += count - surplus;
        return true;
    }
}
