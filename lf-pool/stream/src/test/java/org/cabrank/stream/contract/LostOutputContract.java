package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer that answers and closes while this side still sends: the answer is delivered, and then the end. */
public abstract class LostOutputContract extends StreamContract {
    private static final String ANSWER = "413 Content Too Large";

    /** More than the socket buffers of both sides take. */
    private static final int UPLOAD = 24 << 20;

    private final LaterExecutor later = new LaterExecutor();

    private TestReactor startForUploads() throws IOException {
        return start(StreamReactor.builder()
                .drainTimeout(PATIENT_DRAIN)
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * UPLOAD)));
    }

    /** Collects what it receives; subclasses send. */
    private abstract static class Uploading implements ConnectionHandler {
        private final StringBuffer received = new StringBuffer();

        @Override
        public void data(Connection connection, ByteBuffer data) {
            received.append(Recorder.text(data));
        }

        /** The connection ends by itself. */
        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            unread.position(unread.limit());
        }

        String received() {
            return received.toString();
        }
    }

    private static Uploading uploading() {
        return new Uploading() {
            @Override
            public void opened(Connection connection) {
                connection.write(ByteBuffer.allocate(UPLOAD));
            }
        };
    }

    /** Closes with unread input, so that the kernel sends a reset. */
    private void answerEarly(TestClient client) throws IOException {
        client.read(1);
        close(client.send(ANSWER));
    }

    /** A layer might read all that this side sends before it closes. */
    private void close(TestClient client) throws IOException {
        if (mode().layer() != StreamLayer.NONE) {
            client.endOutput();
        }
        client.channel().close();
    }

    private static void assertAnswered(Uploading upload, Recorder recorder) throws Exception {
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertEquals(ANSWER, upload.received());
        assertEquals(0, recorder.overlaps());
    }

    @RepeatedTest(5)
    void answerComesThoughTheQueueIsLong() throws Exception {
        Uploading upload = uploading();
        Recorder recorder = new Recorder(upload);
        answerEarly(client(startForUploads().listen(recorder)));
        assertAnswered(upload, recorder);
    }

    @RepeatedTest(5)
    void answerComesThoughAnotherThreadGoesOnWriting() throws Exception {
        Uploading upload = new Uploading() {};
        Recorder recorder = new Recorder(upload);
        TestClient client = client(startForUploads().listen(recorder));
        Connection connection = recorder.connection();
        Thread writer = new Thread(() -> {
            while (!recorder.isClosed()) {
                if (connection.isWritable()) {
                    connection.write(ByteBuffer.allocate(16 << 10));
                } else {
                    Thread.onSpinWait();
                }
            }
        });
        writer.start();
        answerEarly(client);
        assertAnswered(upload, recorder);
        writer.join();
    }

    @Test
    void answerThatCameDuringACallbackComesBehindItsFailedWrite() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        AtomicReference<Throwable> unwritten = new AtomicReference<>();
        Uploading upload = new Uploading() {
            @Override
            public void opened(Connection connection) throws Exception {
                connection.write(ByteBuffer.allocate(2));
                connection.flush();
                gone.await();
                connection.write(ByteBuffer.allocate(UPLOAD)); // more than is taken before the reset comes
                connection.write(ByteBuffer.allocate(1));
                connection.whenWritten((own, failure) -> unwritten.set(failure));
            }
        };
        Recorder recorder = new Recorder(upload);
        answerEarly(client(startForUploads().listen(recorder)));
        gone.countDown();
        assertAnswered(upload, recorder);
        assertNotNull(unwritten.get());
    }

    @Test
    void answerComesWhenAPausedConnectionResumes() throws Exception {
        Uploading upload = new Uploading() {
            @Override
            public void opened(Connection connection) {
                connection.pauseReading();
                connection.write(ByteBuffer.allocate(UPLOAD));
            }
        };
        Recorder recorder = new Recorder(upload);
        answerEarly(client(startForUploads().listen(recorder)));
        Await.until("the failed send is seen", () -> recorder.connectionNow().queuedBytes() == 0);
        recorder.connection().resumeReading();
        assertAnswered(upload, recorder);
    }

    @Test
    void pausedConnectionThatHasReceivedNothingEndsAtOnce() throws Exception {
        Recorder recorder = new Recorder(new Uploading() {
            @Override
            public void opened(Connection connection) {
                connection.pauseReading();
                connection.write(ByteBuffer.allocate(UPLOAD));
            }
        });
        TestReactor reactor = start(StreamReactor.builder()
                .timeouts(StreamTimeouts.DEFAULT.withClose(StreamTimeouts.NEVER).withCloseTotal(StreamTimeouts.NEVER))
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * UPLOAD)));
        TestClient client = client(reactor.listen(recorder));
        client.read(1);
        client.close();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void pausedConnectionThatNeverResumesEndsAtTheTimeOfAClose() throws Exception {
        Recorder recorder = new Recorder(new Uploading() {
            @Override
            public void opened(Connection connection) {
                connection.pauseReading();
                connection.write(ByteBuffer.allocate(UPLOAD));
            }
        });
        TestReactor reactor = start(StreamReactor.builder()
                .timeouts(StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(50)))
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * UPLOAD)));
        answerEarly(client(reactor.listen(recorder)));
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void answerComesBehindTheContinuationOfOffloadedWork() throws Exception {
        Uploading upload = new Uploading() {
            private boolean offloaded;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                if (offloaded) {
                    super.data(connection, data);
                    return;
                }
                data.get();
                offloaded = true;
                connection.write(ByteBuffer.allocate(UPLOAD));
                connection.offload(later, () -> "done", (own, answer) -> own.write(Recorder.bytes(answer)));
            }
        };
        Recorder recorder = new Recorder(upload);
        TestClient client = client(startForUploads().listen(recorder)).send("x");
        Runnable work = later.take();
        answerEarly(client);
        Await.until("the failed send is seen", () -> recorder.connectionNow().queuedBytes() == 0);
        work.run();
        assertAnswered(upload, recorder);
    }

    @Test
    void workThatNeverEndsDelaysTheEndForTheTimeOfAClose() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(UPLOAD));
            connection.offload(later, () -> "", (own, nothing) -> {});
        });
        TestReactor reactor = start(StreamReactor.builder()
                .timeouts(
                        StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(50)).withCloseTotal(StreamTimeouts.NEVER))
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * UPLOAD)));
        TestClient client = client(reactor.listen(recorder)).send("x");
        later.take(); // and never does it
        answerEarly(client);
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void answerComesThoughAFileIsBeingSent(@TempDir Path directory) throws Exception {
        Path path = Files.write(directory.resolve("upload"), new byte[UPLOAD]);
        TestReactor reactor = startForUploads();
        try (ReactorFile file = reactor.reactor().openFile(path)) {
            Uploading upload = new Uploading() {
                @Override
                public void opened(Connection connection) throws IOException {
                    connection.sendFile(file, 0, UPLOAD);
                }
            };
            Recorder recorder = new Recorder(upload);
            answerEarly(client(reactor.listen(recorder)));
            assertAnswered(upload, recorder);
        }
    }

    @Test
    void bytesLeftUnreadAreGivenAgainWithTheRest() throws Exception {
        Uploading upload = new Uploading() {
            @Override
            public void opened(Connection connection) {
                connection.write(ByteBuffer.allocate(UPLOAD));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                if (data.remaining() == ANSWER.length()) { // else it waits for the rest
                    super.data(connection, data);
                }
            }
        };
        Recorder recorder = new Recorder(upload);
        TestClient client = client(startForUploads().listen(recorder));
        client.read(1);
        client.channel()
                .setOption(StandardSocketOptions.TCP_NODELAY, true); // else the reset overtakes the second piece
        close(client.send(ANSWER.substring(0, 5)).send(ANSWER.substring(5)));
        assertAnswered(upload, recorder);
    }

    @RepeatedTest(5)
    void blockingReaderGetsTheAnswerAndThenTheFailure() throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        StreamReactor.Builder builder = StreamReactor.builder()
                .drainTimeout(PATIENT_DRAIN)
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * UPLOAD));
        ConnectionHandler blocking = BlockingHandlers.of(
                        task -> new Thread(task).start(), connection -> received.complete(upload(connection)))
                .get();
        answerEarly(client(start(builder).listen(blocking)));
        assertEquals(ANSWER, received.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private static String upload(BlockingConnection connection) {
        StringBuilder received = new StringBuilder();
        try {
            connection.write(ByteBuffer.allocate(UPLOAD));
        } catch (IOException ended) {
            received.append(""); // the answer is read all the same
        }
        ByteBuffer into = ByteBuffer.allocate(64);
        try {
            while (connection.read(into) >= 0) {
                received.append(Recorder.text(into.flip()));
                into.clear();
            }
        } catch (IOException ended) {
            return received.toString();
        }
        return received.toString();
    }
}
