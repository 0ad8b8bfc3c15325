package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** A handler that throws loses its own connection, and nobody else's. */
public abstract class HandlerFailureContract extends StreamContract {
    private static final RuntimeException MISTAKE = new IllegalStateException("a mistake of the handler");

    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    /** The first connection has the faulty handler, those after it echo. */
    private void onlyTheFaultyOneSuffers(Recorder faulty, String sent) throws Exception {
        TestReactor reactor = start();
        ConnectionHandler[] next = {faulty};
        SocketAddress address = reactor.listen(TestReactor.loopback(0), AcceptMode.EXCLUSIVE, () -> {
            ConnectionHandler handler = next[0];
            next[0] = ECHO;
            return handler;
        });
        TestClient client = client(address);
        faulty.connection();
        TestClient other = client(address).send("x").expect("x");
        client.send(sent);
        assertSame(MISTAKE, faulty.awaitClosed());
        assertEquals(1, faulty.count("closed"));
        assertEquals(1, reactor.failureCount());
        other.send("still here").expect("still here");
        client(address).send("new").expect("new");
    }

    @Test
    void handlerThatThrowsInDataLosesItsConnection() throws Exception {
        onlyTheFaultyOneSuffers(
                new Recorder((connection, data) -> {
                    throw MISTAKE;
                }),
                "go");
    }

    @Test
    void handlerThatThrowsInOpenedLosesItsConnection() throws Exception {
        onlyTheFaultyOneSuffers(
                new Recorder(new ConnectionHandler() {
                    @Override
                    public void opened(Connection connection) {
                        throw MISTAKE;
                    }

                    @Override
                    public void data(Connection connection, ByteBuffer data) {}
                }),
                "");
    }

    @Test
    void taskThatThrowsLosesItsConnection() throws Exception {
        onlyTheFaultyOneSuffers(
                new Recorder((connection, data) -> connection.execute(() -> {
                    throw MISTAKE;
                })),
                "go");
    }

    @Test
    void handlerThatThrowsInInputClosedLosesItsConnection() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                throw MISTAKE;
            }
        });
        client(serve(recorder)).endOutput();
        assertSame(MISTAKE, recorder.awaitClosed());
    }

    @Test
    void handlerThatThrowsInWritableLosesItsConnection() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                connection.write(ByteBuffer.allocate(8 << 20));
            }

            @Override
            public void writable(Connection connection) {
                throw MISTAKE;
            }
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 16 << 20)));
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go");
        Connection connection = recorder.connection();
        Await.until("the queue is long", () -> connection.queuedBytes() > 64 << 10);
        CompletableFuture<Void> read = CompletableFuture.runAsync(client::readAndForget);
        assertSame(MISTAKE, recorder.awaitClosed());
        read.get();
    }

    @Test
    void handlerThatThrowsInClosedIsCounted() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                throw MISTAKE;
            }
        });
        client(address).endOutput().expectEnd();
        reactor.awaitClosed(1);
        Await.until("the failure is counted", () -> reactor.failureCount() == 1);
        client(address).send("on").expect("on");
    }

    @Test
    void bytesWrittenBeforeTheHandlerFailsAreSent() throws Exception {
        TestClient client = client(serve((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("before"));
            throw MISTAKE;
        }));
        client.send("go").expectToEnd("before");
    }

    /** Not only exceptions: an assertion or a class that is missing must not end a pool thread either. */
    @Test
    void handlerThatThrowsAnErrorLosesItsConnection() throws Exception {
        AssertionError error = new AssertionError("a mistake");
        Recorder recorder = new Recorder((connection, data) -> {
            throw error;
        });
        SocketAddress address = serve(recorder);
        client(address).send("go");
        assertSame(error, recorder.awaitClosed());
        client(address).send("go").expectEnd();
    }

    @Test
    void supplierThatFailsLosesThatConnectionOnly() throws Exception {
        TestReactor reactor = start();
        AtomicInteger calls = new AtomicInteger();
        SocketAddress address = reactor.listen(TestReactor.loopback(0), AcceptMode.EXCLUSIVE, () -> {
            switch (calls.incrementAndGet()) {
                case 1:
                    throw MISTAKE;
                case 2:
                    throw new AssertionError("a mistake of the supplier");
                case 3:
                    return null;
                default:
                    return ECHO;
            }
        });
        for (int i = 0; i < 3; i++) {
            client(address).expectEnd();
        }
        client(address).send("fourth").expect("fourth");
        Await.until("the third failure was counted, while another thread accepts", () -> reactor.failureCount() == 3);
        assertEquals(1, reactor.reactor().counters().opened());
    }
}
