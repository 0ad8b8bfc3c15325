package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.Test;

/** Slow work that a callback hands away: the connection waits for it, and nobody else does. */
public abstract class OffloadContract extends StreamContract {
    private final LaterExecutor later = new LaterExecutor();

    @Test
    void threadsOfAnExecutorDoTheWorkOfManyConnections() throws Exception {
        ExecutorService executor = OffloadExecutors.virtualThreadsElse("slow", 4, 1_000);
        try {
            var address = serve(new AnswerByOffload(executor));
            for (int i = 0; i < 20; i++) {
                TestClient client = client(address);
                for (int round = 0; round < 20; round++) {
                    client.send(i + "/" + round).expect(i + "/" + round + "!");
                }
            }
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void executorThatRunsInTheCallingThreadIsServed() throws Exception {
        var address = serve(new AnswerByOffload(Runnable::run));
        client(address).send("a").expect("a!").send("b").expect("b!");
    }

    @Test
    void othersAreServedWhileWorkIsUnderWayEvenByASingleThread() throws Exception {
        TestReactor reactor = start();
        TestClient slow = client(reactor.listen(new AnswerByOffload(later))).send("slow");
        Runnable work = later.take();
        client(reactor.listen((connection, data) -> connection.write(data)))
                .send("quick")
                .expect("quick");
        work.run();
        slow.expect("slow!");
    }

    @Test
    void nothingIsCalledWhileWorkIsUnderWayAndAllOfItFollows() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private boolean offloaded;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                String text = Recorder.text(data);
                if (!offloaded) {
                    offloaded = true;
                    connection.offload(later, () -> text, (own, answer) -> own.write(Recorder.bytes(answer)));
                } else {
                    connection.write(Recorder.bytes(text));
                }
            }
        });
        TestClient client = client(reactor.listen(recorder)).send("first ");
        Runnable work = later.take();
        recorder.connection().execute(recorder.task(() -> {}));
        client.send("second").endOutput();
        // A second connection is served by the same handle sets, with calls of its own, so the first has had its
        // chance.
        client(reactor.listen((connection, data) -> connection.write(data)))
                .send("x")
                .expect("x");
        assertEquals(List.of("opened", "data"), recorder.calls());
        work.run();
        client.expectToEnd("first second");
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "task", "data", "inputClosed", "closed"), recorder.calls());
        assertEquals(0, recorder.overlaps());
    }

    @Test
    void continuationIsACallbackOfTheConnection() throws Exception {
        AtomicReference<Thread> calledBy = new AtomicReference<>();
        Recorder recorder = new Recorder((connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(later, () -> text, (own, answer) -> {
                assertSame(connection, own);
                calledBy.set(Thread.currentThread());
                own.promoteNewLeader();
                own.write(Recorder.bytes(answer));
                assertEquals(answer.length(), own.queuedBytes(), "gathered until the callback ends");
                own.flush();
            });
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x");
        later.doNext();
        client.expect("x");
        assertFalse(calledBy.get() == Thread.currentThread(), "not the thread that did the work");
        assertEquals(0, reactor.failureCount());
    }

    /** As with pipelined requests: they have come already, and no further byte will tell. */
    @Test
    void bytesLeftUnreadAreGivenAgainAfterTheContinuation() throws Exception {
        ConnectionHandler oneByOne = (connection, data) -> {
            byte request = data.get();
            connection.offload(
                    later, () -> request, (own, answer) -> own.write(ByteBuffer.wrap(new byte[] {answer, '.'})));
        };
        TestClient client = client(serve(oneByOne)).send("abc");
        for (String answer : List.of("a.", "b.", "c.")) {
            later.doNext();
            client.expect(answer);
        }
        assertTrue(later.isEmpty());
    }

    @Test
    void bytesLeftUnreadStandInFrontOfThoseThatCameMeanwhile() throws Exception {
        AtomicReference<String> second = new AtomicReference<>();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private int calls;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls++;
                if (calls == 1) {
                    data.get();
                    connection.offload(later, () -> "", (own, nothing) -> {});
                } else if (data.remaining() == 5) {
                    second.set(Recorder.text(data));
                    connection.write(Recorder.bytes("all"));
                }
            }
        });
        TestClient client = client(serve(recorder)).send("abc");
        Runnable work = later.take();
        client.send("def");
        work.run();
        client.expect("all");
        assertEquals("bcdef", second.get());
    }

    @Test
    void openedHandsAwayTooAndDataWaits() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.offload(later, () -> "welcome ", (own, text) -> own.write(Recorder.bytes(text)));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }
        });
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("welcome x");
    }

    @Test
    void taskHandsAwayTooAndTheNextTaskWaits() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        connection.execute(() -> {
            connection.execute(() -> connection.write(Recorder.bytes("second")));
            connection.offload(later, () -> "first ", (own, text) -> own.write(Recorder.bytes(text)));
        });
        later.doNext();
        client.expect("first second");
    }

    @Test
    void continuationMayHandAwayMore() throws Exception {
        ConnectionHandler twice = (connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(later, () -> text + "1", (own, first) -> {
                own.write(Recorder.bytes(first));
                own.offload(later, () -> "2", (same, second) -> same.write(Recorder.bytes(second)));
            });
        };
        TestClient client = client(serve(twice)).send("a");
        later.doNext();
        client.expect("a1").send("b");
        later.doNext();
        client.expect("2");
        later.doNext();
        client.expect("b1");
        later.doNext();
        client.expect("2");
    }

    /** A handler that sends its last message and goes on reading, as one that has answered before the end of an upload. */
    @Test
    void workIsHandedAwayAfterTheEndOfTheOutputToo() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.write(Recorder.bytes("all there is"));
                connection.shutdownOutput();
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                byte request = data.get();
                connection.offload(later, () -> request, (own, answer) -> read.append((char) answer.byteValue()));
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).expectToEnd("all there is");
        client.send("abc").endOutput();
        later.doNext();
        later.doNext();
        later.doNext();
        assertNull(recorder.awaitClosed());
        assertEquals("abc", read.toString());
        assertEquals(1, recorder.count("inputClosed"));
        assertEquals(0, reactor.failureCount());
    }
}
