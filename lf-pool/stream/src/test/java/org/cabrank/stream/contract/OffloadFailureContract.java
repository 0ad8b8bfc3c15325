package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.Test;

/** Work that a callback may not hand away, and work that fails. */
public abstract class OffloadFailureContract extends StreamContract {
    private final LaterExecutor later = new LaterExecutor();

    // ---- refusals ----

    @Test
    void rejectedWorkLeavesTheCallbackAsItWas() throws Exception {
        Executor full = work -> {
            throw new RejectedExecutionException("full");
        };
        ConnectionHandler handler = (connection, data) -> {
            assertThrows(
                    RejectedExecutionException.class,
                    () -> connection.offload(full, () -> "never", (own, answer) -> own.abort()));
            connection.write(data);
        };
        TestReactor reactor = start();
        client(reactor.listen(handler)).send("a").expect("a").send("b").expect("b");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void handingAwayOutsideACallbackOrTwiceOrWhileClosingIsRefused() throws Exception {
        ConnectionContinuation<String> writes = (own, answer) -> own.write(Recorder.bytes(answer));
        AtomicReference<Throwable> second = new AtomicReference<>();
        AtomicReference<Throwable> closing = new AtomicReference<>();
        Recorder recorder = new Recorder((connection, data) -> {
            if (Recorder.text(data).equals("twice")) {
                connection.offload(later, () -> "done", writes);
                second.set(assertThrows(
                        IllegalStateException.class, () -> connection.offload(later, () -> "again", writes)));
            } else {
                connection.close();
                closing.set(
                        assertThrows(IllegalStateException.class, () -> connection.offload(later, () -> "", writes)));
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        assertThrows(IllegalStateException.class, () -> connection.offload(later, () -> "", writes));
        client.send("twice");
        later.doNext();
        client.expect("done").send("closing").endOutput().expectEnd();
        recorder.awaitClosed();
        assertTrue(second.get().getMessage().contains("not done yet"), second.get()::getMessage);
        assertTrue(closing.get().getMessage().contains("is being closed"), closing.get()::getMessage);
        assertTrue(later.isEmpty());
        assertEquals(0, reactor.failureCount());
    }

    // ---- failures ----

    @Test
    void workThatThrowsClosesTheConnectionWithThatCause() throws Exception {
        IOException mistake = new IOException("the work failed on purpose");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(
                    later,
                    () -> {
                        throw mistake;
                    },
                    (own, answer) -> own.write(Recorder.bytes("never")));
        });
        TestReactor reactor = start();
        client(reactor.listen(recorder)).send("x");
        later.doNext();
        assertSame(mistake, recorder.awaitClosed());
        assertEquals(1, reactor.failureCount());
    }

    @Test
    void continuationMayTakeTheFailureAndAnswer() throws Exception {
        ConnectionHandler handler = (connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(
                    later,
                    () -> {
                        throw new IOException(text);
                    },
                    new ConnectionContinuation<String>() {
                        @Override
                        public void resume(Connection own, String answer) {
                            own.abort();
                        }

                        @Override
                        public void failed(Connection own, Throwable failure) {
                            own.write(Recorder.bytes("sorry, " + failure.getMessage()));
                        }
                    });
        };
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(handler)).send("a");
        later.doNext();
        client.expect("sorry, a");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void continuationThatThrowsSendsWhatItHasWrittenAndCloses() throws Exception {
        IOException mistake = new IOException("the continuation failed on purpose");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(later, () -> "half", (own, answer) -> {
                own.write(Recorder.bytes(answer));
                throw mistake;
            });
        });
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("half");
        assertSame(mistake, recorder.awaitClosed());
    }
}
