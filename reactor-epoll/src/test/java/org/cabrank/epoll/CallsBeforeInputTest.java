package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A call of another thread that has returned before the peer sends acts before what the peer sends is delivered. */
@ParameterizedClass
@MethodSource("modes")
class CallsBeforeInputTest extends StreamContract {
    @Parameter
    private ReactorMode mode;

    /** Calls that another thread makes when a thread of the reactor is about to receive, and has looked for mail before. */
    private static final AtomicReference<Runnable> BEFORE_RECEIVE = new AtomicReference<>();

    private final Recorder recorder = new Recorder((connection, data) -> connection.write(data));
    private TestClient client;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(() -> calledBeforeReceive(TestKernel.any()));
    }

    private static Kernel calledBeforeReceive(Kernel kernel) {
        return new ForwardingKernel(kernel) {
            @Override
            public int recv(int fd, long buffer, int count, int flags) {
                Runnable calls = BEFORE_RECEIVE.getAndSet(null);
                if (calls != null) {
                    CompletableFuture.runAsync(calls).join();
                }
                return next().recv(fd, buffer, count, flags);
            }
        };
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @BeforeEach
    void connect() throws Exception {
        client = client(start().listen(recorder)).send("a").expect("a");
    }

    /** The thread that processes the connection may receive once more behind the answer, so this waits for the end of the processing. */
    private CompletableFuture<Void> call(Runnable calls) throws Exception {
        CompletableFuture<Void> processed = new CompletableFuture<>();
        recorder.connection().execute(() -> processed.complete(null));
        processed.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        CompletableFuture<Void> called = new CompletableFuture<>();
        BEFORE_RECEIVE.set(() -> {
            calls.run();
            called.complete(null);
        });
        return called;
    }

    @Test
    void pausedConnectionKeepsTheBytesUntilItIsResumed() throws Exception {
        Connection connection = recorder.connection();
        CompletableFuture<Void> paused = call(connection::pauseReading);
        client.send("b");
        paused.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        CompletableFuture<Integer> deliveries = new CompletableFuture<>();
        connection.execute(() -> deliveries.complete(recorder.count("data")));
        assertEquals(1, deliveries.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), recorder.calls()::toString);
        connection.resumeReading();
        client.expect("b").send("c").expect("c");
    }

    @Test
    void closedConnectionDeliversNoBytes() throws Exception {
        call(recorder.connection()::close);
        client.send("b").expectEnd().close();
        assertNull(recorder.awaitClosed());
        assertEquals(1, recorder.count("data"), recorder.calls()::toString);
    }

    @Test
    void closedConnectionIsNotToldOfThePeersEnd() throws Exception {
        call(recorder.connection()::close);
        client.endOutput().expectEnd().close();
        assertNull(recorder.awaitClosed());
        assertEquals(0, recorder.count("inputClosed"), recorder.calls()::toString);
    }

    @Test
    void bytesThatWereWrittenBeforeGoOutBeforeTheAnswer() throws Exception {
        Connection connection = recorder.connection();
        call(() -> connection.write(Recorder.bytes("before ")));
        client.send("b").expect("before b");
    }
}
