package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.stream.transport.DecoratorOutput;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls on a connection that is ending, by its tasks and completions, which still run. Each call returns. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallsAtTheEndTest {
    private static final int BYTES = 10;

    @TempDir
    private static Path directory;

    /** A call of any thread. */
    enum Call {
        WRITE {
            @Override
            void on(Connection connection) {
                ByteBuffer data = ByteBuffer.allocate(BYTES);
                connection.write(data);
                assertFalse(data.hasRemaining());
            }
        },
        WRITE_TWO {
            @Override
            void on(Connection connection) {
                ByteBuffer head = ByteBuffer.allocate(BYTES);
                ByteBuffer body = ByteBuffer.allocate(BYTES);
                connection.write(head, body);
                assertFalse(head.hasRemaining() || body.hasRemaining());
            }
        },
        SEND_FILE {
            @Override
            void on(Connection connection) throws Exception {
                try (ReactorFile file =
                        EmbeddedConnection.openFile(Files.write(directory.resolve("file"), new byte[BYTES]))) {
                    connection.sendFile(file, 0, BYTES);
                }
            }
        },
        SHUTDOWN_OUTPUT {
            @Override
            void on(Connection connection) {
                connection.shutdownOutput();
            }
        },
        CLOSE {
            @Override
            void on(Connection connection) {
                connection.close();
            }
        },
        RESUME_READING {
            @Override
            void on(Connection connection) {
                connection.pauseReading();
                connection.resumeReading();
            }
        },
        ROOM {
            @Override
            void on(Connection connection) {
                DecoratorOutput.of(connection).requireRoom(BYTES);
                connection.isWritable();
                connection.flush();
            }
        };

        abstract void on(Connection connection) throws Exception;

        void unchecked(Connection connection, List<String> done) {
            try {
                on(connection);
                done.add("done");
            } catch (RejectedExecutionException gone) {
                done.add("refused");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private interface Action {
        void on(Connection connection) throws Exception;
    }

    /**
     * Has a server do something when the client has sent a byte, and expects the end of its connection.
     *
     * @param closes from outside, behind the action
     */
    private static void serve(Action action, boolean closes) throws Exception {
        CompletableFuture<Throwable> closed = new CompletableFuture<>();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.get();
                action.on(connection);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                closed.complete(cause);
            }
        };
        EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler));
        EngineClient client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.3");
        server.peerTakes(0);
        Thread sender = new Thread(
                () -> { // the call may not return
                    try {
                        client.send("x");
                        if (closes) {
                            server.close();
                        }
                    } catch (SSLException e) {
                        closed.completeExceptionally(e);
                    }
                });
        sender.setDaemon(true);
        sender.start();
        closed.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        sender.join();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void taskOfAConnectionThatIsClosedReturns(Call call) throws Exception {
        List<String> done = new ArrayList<>();
        serve(
                connection -> {
                    connection.offload(later -> {}, () -> "never done", (same, result) -> same.close());
                    connection.execute(() -> call.unchecked(connection, done));
                },
                true);
        assertEquals(List.of("done"), done);
    }

    @ParameterizedTest
    @EnumSource
    void completionOfAConnectionThatIsClosedReturns(Call call) throws Exception {
        List<String> done = new ArrayList<>();
        serve(
                connection -> {
                    connection.write(ByteBuffer.allocate(BYTES));
                    connection.whenWritten((same, failed) -> call.unchecked(same, done));
                },
                true);
        assertEquals(List.of("done"), done);
    }

    @ParameterizedTest
    @EnumSource
    void threadThatTheLastTaskWaitsForReturns(Call call) throws Exception {
        List<String> done = new ArrayList<>();
        serve(
                connection -> {
                    connection.execute(() -> {
                        Thread other = new Thread(() -> call.unchecked(connection, done));
                        other.setDaemon(true);
                        other.start();
                        try {
                            other.join();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
                    connection.abort();
                },
                false);
        assertEquals(List.of("done"), done);
    }
}
