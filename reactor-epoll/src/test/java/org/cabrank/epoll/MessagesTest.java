package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Test;

/** Log lines of a reactor that an operator acts on. */
class MessagesTest {

    @Test
    void failureOfAHandlerNamesTheConnectionAndItsPeer() throws Exception {
        try (LogCapture log = new LogCapture(EpollHandleSet.class);
                StreamReactor reactor = StreamReactor.builder()
                        .backend(Backend.named(EpollBackendProvider.NAME))
                        .start()) {
            InetSocketAddress address = (InetSocketAddress) reactor.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ListenOptions.DEFAULT,
                            () -> (connection, data) -> {
                                throw new IllegalArgumentException("on purpose");
                            })
                    .address();
            try (TestClient client = TestClient.connect(address)) {
                String peer = client.channel().getLocalAddress().toString();
                client.send("x");
                Await.until("the failure is logged", () -> !log.warnings().isEmpty());
                String line = log.warnings().get(0);
                assertTrue(line.contains(" of connection ") && line.contains(peer), line);
            }
        }
    }

    @Test
    void backendThatWasChosenIsLoggedWithTheReason() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(Backend.class.getName());
        Handler capture = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                lines.add(logged.getLevel() + " " + logged.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Level before = logger.getLevel();
        logger.setLevel(Level.FINE);
        logger.addHandler(capture);
        try {
            StreamReactor.builder().backend(Backend.auto()).start().close();
        } finally {
            logger.removeHandler(capture);
            logger.setLevel(before);
        }
        assertEquals(List.of("FINE backend: epoll. Reason: the first by rank that works here"), lines);
    }
}
