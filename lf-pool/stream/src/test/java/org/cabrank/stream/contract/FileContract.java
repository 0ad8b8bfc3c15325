package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.transport.OffloadedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that callbacks read, write and sync, whether the kernel carries the requests out or threads do. */
public abstract class FileContract extends StreamContract {
    @TempDir
    Path dir;

    private Path path;

    @BeforeEach
    void nameFile() {
        path = dir.resolve("file");
    }

    private static ByteBuffer direct(String text) {
        ByteBuffer bytes = Recorder.bytes(text);
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }

    private static void awaitEnd(ReactorFile file) throws Exception {
        Await.until("all requests have ended", () -> ((OffloadedFile) file).underWay() == 0);
    }

    @Test
    void fileIsWrittenSyncedAndReadBackBeforeTheAnswer() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = closing(reactor.reactor()
                .openFile(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        Recorder recorder = new Recorder((connection, data) -> {
            ByteBuffer text = direct(Recorder.text(data));
            int length = text.remaining();
            file.write(connection, text, 5, (writer, written) -> {
                assertEquals(length, written);
                assertEquals(0, text.remaining());
                file.sync(writer, true, (syncer, nothing) -> {
                    assertNull(nothing);
                    ByteBuffer read = ByteBuffer.allocateDirect(length);
                    file.read(syncer, read, 5, (reader, count) -> {
                        assertEquals(length, count);
                        reader.write(read.flip());
                    });
                });
            });
        });
        TestClient client = client(reactor.listen(recorder));
        for (String text : List.of("first", "second", "x")) {
            client.send(text).expect(text);
        }
        client.endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        assertEquals(0, recorder.overlaps());
        assertEquals("\0\0\0\0\0xecond", Files.readString(path));
    }

    @Test
    void readReturnsWhatThereIsAndThenTheEnd() throws Exception {
        Files.writeString(path, "abc");
        TestReactor reactor = start();
        ReactorFile file = closing(reactor.reactor().openFile(path));
        TestClient client = client(reactor.listen((connection, data) -> {
            int position = Integer.parseInt(Recorder.text(data));
            ByteBuffer into = ByteBuffer.allocateDirect(10).position(4);
            file.read(
                    connection,
                    into,
                    position,
                    (reader, count) -> reader.write(Recorder.bytes(count + " at " + into.position())));
        }));
        client.send("1").expect("2 at 6");
        client.send("3").expect("-1 at 4");
        client.send("4").expect("-1 at 4");
    }

    /** Answers with the failure that it is given, and goes on. */
    private static class Answering implements ConnectionContinuation<Integer> {
        private final String name;

        Answering(String name) {
            this.name = name;
        }

        @Override
        public void resume(Connection connection, Integer result) {
            connection.write(Recorder.bytes("done"));
        }

        @Override
        public void failed(Connection connection, Throwable failure) {
            boolean named =
                    failure instanceof IOException && failure.getMessage().contains(name);
            connection.write(Recorder.bytes(named ? "failed" : failure.toString()));
        }
    }

    @Test
    void failureIsGivenToTheContinuationAndTheConnectionGoesOn() throws Exception {
        TestReactor reactor = start();
        Path full = Path.of("/dev/full");
        ReactorFile file = closing(reactor.reactor().openFile(full, StandardOpenOption.WRITE));
        TestClient client = client(reactor.listen((connection, data) -> {
            data.position(data.limit());
            file.write(connection, direct("no space left"), 0, new Answering(full.toString()));
        }));
        client.send("x").expect("failed");
        client.send("x").expect("failed");
    }

    /** The memory of a process has nothing at 0: the kernel answers EIO, as for a broken disk. */
    @Test
    void errorOfInputAndOutputIsGivenToTheContinuationAndTheConnectionGoesOn() throws Exception {
        TestReactor reactor = start();
        Path memory = Path.of("/proc/self/mem");
        ReactorFile broken = closing(reactor.reactor().openFile(memory));
        Files.writeString(path, "abc");
        ReactorFile sound = closing(reactor.reactor().openFile(path));
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        TestClient client = client(reactor.listen((connection, data) -> {
            boolean fails = Recorder.text(data).equals("f");
            ByteBuffer into = ByteBuffer.allocateDirect(3);
            (fails ? broken : sound).read(connection, into, 0, new Answering(memory.toString()) {
                @Override
                public void failed(Connection own, Throwable failure) {
                    failures.add(failure);
                    assertEquals(0, into.position());
                    super.failed(own, failure);
                }
            });
        }));
        for (int round = 0; round < 3; round++) {
            client.send("f").expect("failed");
            client.send("s").expect("done");
        }
        assertEquals(3, failures.size());
        String message = failures.get(0).getMessage();
        assertTrue(message.contains("EIO") || message.contains("Input/output error"), message);
        assertEquals(0, ((OffloadedFile) broken).underWay());
    }

    @Test
    void failureClosesTheConnectionWhereTheContinuationDoesNotCare() throws Exception {
        TestReactor reactor = start();
        ReactorFile file =
                closing(reactor.reactor().openFile(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            file.read(connection, ByteBuffer.allocateDirect(1), 0, (reader, count) -> {});
        });
        client(reactor.listen(recorder)).send("x");
        IOException why = assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertTrue(why.getMessage().contains(path.toString()), why.getMessage());
        assertEquals(0, ((OffloadedFile) file).underWay());
    }

    @Test
    void refusedRequestLeavesTheCallbackAndTheFileAsTheyWere() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = reactor.reactor().openFile(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ReactorFile closed = reactor.reactor().openFile(path);
        closed.close();
        closed.close();
        AtomicReference<Connection> known = new AtomicReference<>();
        TestClient client = client(reactor.listen((connection, data) -> {
            data.position(data.limit());
            known.set(connection);
            Answering then = new Answering("file");
            assertThrows(
                    ClosedChannelException.class, () -> closed.read(connection, ByteBuffer.allocateDirect(1), 0, then));
            assertThrows(IllegalArgumentException.class, () -> file.write(connection, ByteBuffer.allocate(1), 0, then));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> file.read(connection, ByteBuffer.allocateDirect(1).asReadOnlyBuffer(), 0, then));
            assertThrows(IllegalArgumentException.class, () -> file.write(connection, direct("x"), -1, then));
            file.write(connection, direct("x"), 0, then);
            assertThrows(IllegalStateException.class, () -> file.write(connection, direct("y"), 0, then));
        }));
        client.send("x").expect("done");
        assertThrows(IllegalStateException.class, () -> file.write(known.get(), direct("z"), 0, new Answering("file")));
        assertEquals(0, ((OffloadedFile) file).underWay());
        file.close();
        assertEquals("x", Files.readString(path));
        assertThrows(
                UnsupportedOperationException.class,
                () -> reactor.reactor().openFile(path, StandardOpenOption.DELETE_ON_CLOSE));
        assertThrows(
                IllegalArgumentException.class,
                () -> reactor.reactor().openFile(path, StandardOpenOption.APPEND, StandardOpenOption.READ));
        IOException missing =
                assertThrows(IOException.class, () -> reactor.reactor().openFile(dir.resolve("missing")));
        assertTrue(
                missing instanceof NoSuchFileException || missing.getMessage().contains("ENOENT"), missing.toString());
    }

    @Test
    void linesThatManyConnectionsAppendStayWhole() throws Exception {
        int clients = 8;
        int lines = 10;
        TestReactor reactor = start();
        ReactorFile file =
                closing(reactor.reactor().openFile(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        var address = reactor.listen((connection, data) -> {
            String text = Recorder.text(data);
            file.write(connection, direct(text + "\n"), 0, (own, count) -> own.write(Recorder.bytes("!")));
        });
        List<TestClient> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(client(address));
        }
        HashSet<String> sent = new HashSet<>();
        for (int line = 0; line < lines; line++) {
            for (int i = 0; i < clients; i++) {
                all.get(i).send("client " + i + " line " + line);
                sent.add("client " + i + " line " + line);
            }
            for (TestClient each : all) {
                each.expect("!");
            }
        }
        List<String> written = Files.readAllLines(path);
        assertEquals(clients * lines, written.size());
        assertEquals(sent, new HashSet<>(written));
    }

    /** The request is carried out all the same, and the descriptor is closed behind it. */
    @Test
    void connectionThatEndsMidwayIsClosedAndTheRequestIsCarriedOut() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = reactor.reactor().openFile(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.position(data.limit());
                file.write(connection, direct("all of it"), 0, (own, count) -> own.write(Recorder.bytes("late")));
                connection.abort();
            }
        });
        client(reactor.listen(recorder)).send("x").expectReset();
        recorder.awaitClosed();
        file.close();
        awaitEnd(file);
        assertEquals("all of it", Files.readString(path));
    }
}
