package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/**
 * Long answers to peers that read slowly: every byte arrives once, in its place and at the right peer. Every eight bytes of an
 * answer say whose they are and where they belong.
 */
public abstract class LongAnswerContract extends StreamContract {
    private static final int ANSWER_BYTES = 8 << 20;
    private static final int PEERS = 3;

    /** Much less than an answer, and enough for the packets of a sender that does not copy: they hold whole pages. */
    private static final int RECEIVE_BUFFER = 128 << 10;

    private static final int OFFSET_BITS = 32;

    /** Writes the answer that the one byte of a request asks for, in pieces of every size, from both kinds of buffers. */
    private static void answer(Connection connection, ByteBuffer request) {
        int peer = request.get();
        Random random = new Random(peer);
        for (int at = 0; at < ANSWER_BYTES; ) {
            int most = random.nextInt(4) == 0 ? 400_000 : 20_000;
            int count = Math.min(ANSWER_BYTES - at, 8 * (1 + random.nextInt(most / 8)));
            ByteBuffer piece = random.nextBoolean() ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
            for (int i = at; i < at + count; i += Long.BYTES) {
                piece.putLong(word(peer, i));
            }
            connection.write(piece.flip());
            at += count;
        }
    }

    private static long word(int peer, int offset) {
        return (long) peer << OFFSET_BITS | offset;
    }

    private static void readAll(TestClient client, int peer, int mostAtOnce) throws Exception {
        Random random = new Random(~peer);
        for (int at = 0; at < ANSWER_BYTES; ) {
            int count = Math.min(ANSWER_BYTES - at, 8 * (1 + random.nextInt(mostAtOnce / 8)));
            ByteBuffer read = ByteBuffer.wrap(client.read(count));
            for (int i = at; i < at + count; i += Long.BYTES) {
                long word = read.getLong();
                if (word != word(peer, i)) {
                    assertEquals(describe(word(peer, i)), describe(word));
                }
            }
            at += count;
        }
    }

    private static String describe(long word) {
        return "byte " + (int) word + " of the answer to peer " + (word >>> OFFSET_BITS);
    }

    private SocketAddress serveAnswers() throws Exception {
        TestReactor reactor = start(
                StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2L * ANSWER_BYTES)));
        return reactor.listen(LongAnswerContract::answer);
    }

    private static byte[] request(int peer) {
        return new byte[] {(byte) peer};
    }

    /** They are read in turns, so that each waits for its peer now and then, with other answers on their way. */
    @Test
    void slowReadersGetTheirOwnAnswersWhole() throws Exception {
        SocketAddress address = serveAnswers();
        List<Thread> readers = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int peer = 1; peer <= PEERS; peer++) {
            TestClient client =
                    closing(mode().connectToRead(address, RECEIVE_BUFFER)).send(request(peer));
            readers.add(reader(client, peer, failures));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        synchronized (failures) {
            assertEquals(List.of(), failures);
        }
    }

    private static Thread reader(TestClient client, int peer, List<Throwable> failures) {
        Thread thread = new Thread(() -> {
            try {
                readAll(client, peer, 5_000 * peer);
                client.endOutput().expectEnd();
            } catch (Throwable failed) {
                synchronized (failures) {
                    failures.add(failed);
                }
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void answerBehindAnAnswerArrivesBehindIt() throws Exception {
        SocketAddress address = serveAnswers();
        TestClient client = client(address);
        for (int answer = 1; answer <= 3; answer++) {
            client.send(request(answer));
            readAll(client, answer, 1 << 20);
        }
        client.endOutput().expectEnd();
    }

    /** The memory of an answer that nobody will read is free when its connection is gone. */
    @Test
    void peerThatLeavesInTheMiddleTakesNothingFromTheOthers() throws Exception {
        SocketAddress address = serveAnswers();
        TestClient stays = client(address).send(request(1));
        for (int round = 0; round < 5; round++) {
            TestClient leaves =
                    closing(mode().connectToRead(address, RECEIVE_BUFFER)).send(request(2));
            leaves.read(100_000 * round + 1);
            if (round % 2 == 0) {
                leaves.reset();
            } else {
                leaves.close();
            }
        }
        readAll(stays, 1, 100_000);
        stays.endOutput().expectEnd();
    }
}
