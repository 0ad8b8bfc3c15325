package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.Test;

/** A handler that hands an open connection over to another handler. */
public abstract class ReplacedHandlerContract extends StreamContract {
    private static ConnectionHandler echo(String before) {
        return (connection, data) -> {
            connection.write(Recorder.bytes(before));
            connection.write(data);
        };
    }

    @Test
    void theNextHandlerIsGivenWhatTheFormerHasLeftUnread() throws Exception {
        Recorder next = new Recorder(echo("+"));
        AtomicReference<Recorder> former = new AtomicReference<>();
        former.set(new Recorder((connection, data) -> {
            assertTrue(connection.isReceiving());
            data.position(data.position() + 2);
            assertSame(former.get(), connection.replaceHandler(next));
            assertFalse(connection.isReceiving(), "what is left belongs to the next handler");
        }));
        TestClient client = client(serve(former.get())).send("xxabc").expect("+abc");
        client.send("d").expect("+d").endOutput().expectEnd();
        assertNull(next.awaitClosed());
        assertEquals(List.of("data", "data", "inputClosed", "closed"), next.calls());
        assertEquals(List.of("opened", "data"), former.get().calls());
    }

    @Test
    void aHandlerIsReplacedBeforeTheFirstByte() throws Exception {
        Recorder next = new Recorder(echo(""));
        client(serve(new ConnectionHandler() {
                    @Override
                    public void opened(Connection connection) {
                        connection.replaceHandler(next);
                    }

                    @Override
                    public void data(Connection connection, ByteBuffer data) {
                        throw new AssertionError("the former handler was called");
                    }
                }))
                .send("a")
                .expect("a")
                .endOutput()
                .expectEnd();
        assertNull(next.awaitClosed());
        assertEquals(List.of("data", "inputClosed", "closed"), next.calls());
    }

    @Test
    void theNextHandlerIsNotifiedOfThePeersEndWithTheRest() throws Exception {
        StringBuffer rest = new StringBuffer();
        Recorder next = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all bytes are taken with the end
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                rest.append(Recorder.text(unread));
                connection.write(Recorder.bytes("end"));
                connection.close();
            }
        });
        TestClient client = client(serve(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all bytes stay unread
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                unread.get();
                connection.replaceHandler(next);
            }
        }));
        client.send("abc").endOutput().expectToEnd("end");
        assertNull(next.awaitClosed());
        assertEquals("bc", rest.toString());
    }

    @Test
    void aTaskReplacesTheHandlerOfUnreadBytes() throws Exception {
        Recorder next = new Recorder(echo("+"));
        Recorder former = new Recorder((connection, data) -> {
            // all bytes stay unread
        });
        TestClient client = client(serve(former)).send("abc");
        Connection connection = former.connection();
        assertThrows(IllegalStateException.class, () -> connection.replaceHandler(next));
        assertThrows(IllegalStateException.class, () -> BlockingConnection.of(connection));
        Await.until("the bytes have come", () -> former.count("data") > 0);
        connection.execute(() -> connection.replaceHandler(next));
        client.expect("+abc").endOutput().expectEnd();
    }

    @Test
    void theNextHandlerIsGivenTheRestThoughTheFormerWaitsBehindTheReplacement() throws Exception {
        AtomicReference<Reply<String>> awaited = new AtomicReference<>();
        StringBuffer rest = new StringBuffer();
        ConnectionHandler next = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                throw new AssertionError("all bytes come with the end");
            }

            @Override
            public void beforeNestedWait(Connection connection) {
                awaited.get().complete("");
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                rest.append(Recorder.text(unread));
                connection.write(Recorder.bytes("end"));
                connection.close();
            }
        };
        TestClient client = client(serve(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all bytes stay unread
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
                unread.get();
                connection.replaceHandler(next);
                awaited.set(connection.newReply());
                awaited.get().await(Duration.ofNanos(Await.PATIENCE_NS));
                assertFalse(unread.hasRemaining(), "what is left belongs to the next handler");
            }
        }));
        client.send("abc").endOutput().expectToEnd("end");
        assertEquals("bc", rest.toString());
    }
}
