package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamSettings;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.cabrank.stream.transport.StreamBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection that gains nothing by sending without a copy does so no more, and that is counted. */
@Timeout(300)
class ZeroCopyCountersTest {
    private static final int BACKLOG = 16;
    private static final int ROUNDS = 50;

    @TempDir
    Path directory;

    private RingHandleSet set;

    private void echoRounds(SocketAddress at) throws Exception {
        try (StreamReactor reactor =
                StreamReactor.builder().backend(Backend.of(new Remembering())).start()) {
            SocketAddress address = reactor.listen(
                            at, BACKLOG, AcceptMode.EXCLUSIVE, () -> (connection, data) -> connection.write(data))
                    .address();
            try (TestClient client = TestClient.connect(address)) {
                for (int round = 0; round < ROUNDS; round++) {
                    client.send("round " + round).expect("round " + round);
                }
            }
            Await.until("it is closed", () -> reactor.counters().closed() == 1);
        }
    }

    @Test
    void loopbackCopiesAndIsNotAskedForLong() throws Exception {
        echoRounds(TestReactor.loopback(0));
        long sends = set.zeroCopySends();
        assertTrue(sends > 0 && sends < ROUNDS, sends + " sends");
        assertEquals(sends, set.zeroCopySendsCopied());
        assertEquals(0, set.zeroCopySendsRefused());
    }

    @Test
    void unixSocketRefusesAndIsNotAskedAgain() throws Exception {
        echoRounds(UnixDomainSocketAddress.of(directory.resolve("socket")));
        assertEquals(1, set.zeroCopySends());
        assertEquals(1, set.zeroCopySendsRefused());
        assertEquals(0, set.zeroCopySendsCopied());
    }

    /** Makes rings of zero-copy sends, and remembers the handle set. */
    private final class Remembering implements BackendProvider {
        private final BackendProvider next =
                new IoUringBackendProvider(TestKernel.any(), RingOptions.DEFAULT.withZeroCopyBytes(1));

        @Override
        public String name() {
            return next.name();
        }

        @Override
        public int rank() {
            return next.rank();
        }

        @Override
        public String refusal(StreamSettings settings) {
            return next.refusal(settings);
        }

        @Override
        public StreamBackend open(StreamSettings settings) throws IOException {
            StreamBackend backend = next.open(settings);
            set = (RingHandleSet) backend.shards().get(0).handleSet();
            return backend;
        }
    }
}
