package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two peers, each client and server of the other over one connection, whose threads are all busy calling back. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class CallingBackTest {
    private static final int DEPTH = 10;
    private static final Duration PATIENCE = Duration.ofNanos(Await.PATIENCE_NS);

    /** {@code call N} is answered by {@code reply N} when the other side has answered {@code call N-1}. */
    private static final class Peer implements ConnectionHandler {
        private final ConcurrentMap<Integer, Reply<Integer>> waiting = new ConcurrentHashMap<>();

        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            for (String line = nextLine(data); line != null; line = nextLine(data)) {
                int number = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
                if (line.startsWith("reply")) {
                    waiting.remove(number).complete(number);
                    continue;
                }
                if (number > 0) {
                    assertEquals(number - 1, call(connection, number - 1).await(PATIENCE));
                }
                write(connection, "reply " + number);
            }
        }

        Reply<Integer> call(Connection connection, int number) {
            Reply<Integer> reply = connection.newReply();
            waiting.put(number, reply);
            write(connection, "call " + number);
            return reply;
        }

        private static void write(Connection connection, String line) {
            connection.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.ISO_8859_1)));
        }

        /** Null: there is no whole one; what there is stays unread. */
        private static String nextLine(ByteBuffer data) {
            for (int end = data.position(); end < data.limit(); end++) {
                if (data.get(end) == '\n') {
                    byte[] line = new byte[end - data.position()];
                    data.get(line).get();
                    return new String(line, StandardCharsets.ISO_8859_1);
                }
            }
            return null;
        }
    }

    private static StreamReactor reactor(int threads, Promotion promotion, Deactivation deactivation) throws Exception {
        return StreamReactor.builder()
                .backend(Backend.named("epoll"))
                .threadsPerShard(threads)
                .promotion(promotion)
                .deactivation(deactivation)
                .start();
    }

    @ParameterizedTest
    @CsvSource({"1, false, CLAIM", "1, false, ONESHOT", "2, true, CLAIM", "2, false, CLAIM", "3, true, ONESHOT"})
    void poolsOfFewThreadsCallEachOtherBackTenLevelsDeep(int threads, boolean eager, Deactivation deactivation)
            throws Exception {
        Promotion promotion = eager ? Promotion.eager() : Promotion.deferred();
        Peer caller = new Peer();
        try (StreamReactor server = reactor(threads, promotion, deactivation);
                StreamReactor client = reactor(threads, promotion, deactivation)) {
            SocketAddress address = server.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ListenOptions.DEFAULT,
                            Peer::new)
                    .address();
            Connection connection = client.connect(address, caller).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            for (int round = 0; round < 20; round++) {
                assertEquals(DEPTH, caller.call(connection, DEPTH).await(PATIENCE));
            }
            long waits = server.pools().get(0).counters().nestedWaits()
                    + client.pools().get(0).counters().nestedWaits();
            assertEquals(20 * DEPTH, waits);
        }
    }
}
