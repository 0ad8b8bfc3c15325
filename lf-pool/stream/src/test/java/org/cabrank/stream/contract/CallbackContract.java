package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.UnreadLimitException;
import org.junit.jupiter.api.Test;

/** Calls that a handler receives, with their order and their bytes. */
public abstract class CallbackContract extends StreamContract {

    @Test
    void callsComeOnceAndInOrder() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestClient client = client(serve(recorder));
        client.send("a").expect("a").endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "inputClosed", "closed"), recorder.calls());
    }

    @Test
    void connectionWithoutAByteIsOpenedAndClosed() throws Exception {
        Recorder recorder = new Recorder();
        client(serve(recorder)).endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "inputClosed", "closed"), recorder.calls());
    }

    /** Keys with the same name, as unrelated layers may have them. */
    private static final AttachmentKey<AtomicInteger> COUNT = AttachmentKey.named("state");

    private static final AttachmentKey<List<String>> WORDS = AttachmentKey.named("state");

    @Test
    void objectsAreAttachedByKeyUntilTheEnd() throws Exception {
        List<String> last = new CopyOnWriteArrayList<>();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                last.add(connection.attachment(COUNT) + " " + connection.attachment(WORDS));
                connection.attach(WORDS, List.of("a", "b"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                connection.attach(
                        COUNT, new AtomicInteger(connection.attachment(WORDS).size()));
                connection.attach(WORDS, null);
                connection.attach(WORDS, null);
                connection.write(Recorder.bytes(connection.attachment(COUNT) + "" + connection.attachment(WORDS)));
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                last.add(connection.attachment(COUNT) + " " + connection.attachment(WORDS));
            }
        });
        client(serve(recorder)).send("x").expect("2null").endOutput().expectEnd();
        recorder.awaitClosed();
        assertEquals(List.of("null null", "2 null"), last);
    }

    @Test
    void connectionKnowsItsAddressesAndWhatIsAttached() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            AtomicInteger count = connection.attachment(COUNT);
            if (count == null) {
                connection.attach(COUNT, count = new AtomicInteger());
            }
            data.position(data.limit());
            connection.write(Recorder.bytes("" + count.incrementAndGet()));
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        client.send("x").expect("1").send("x").expect("2");
        Connection connection = recorder.connection();
        assertEquals(client.channel().getLocalAddress(), connection.remoteAddress());
        assertEquals(client.channel().getRemoteAddress(), connection.localAddress());
        assertTrue(connection.id() > 0);
    }

    @Test
    void callsForOneConnectionNeverOverlap() throws Exception {
        AtomicInteger tasks = new AtomicInteger();
        AtomicLong bytes = new AtomicLong();
        Recorder recorder = new Recorder((connection, data) -> {
            bytes.addAndGet(data.remaining());
            data.position(data.limit());
        });
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        Thread[] others = new Thread[2];
        for (int i = 0; i < others.length; i++) {
            others[i] = new Thread(() -> {
                for (int n = 0; n < 500; n++) {
                    connection.execute(recorder.task(tasks::incrementAndGet));
                }
            });
            others[i].start();
        }
        for (int n = 0; n < 500; n++) {
            client.send("12345");
        }
        for (Thread other : others) {
            other.join();
        }
        Await.until("all tasks ran", () -> tasks.get() == 1000);
        Await.until("all bytes came", () -> bytes.get() == 2500);
        assertEquals(0, recorder.overlaps());
    }

    /** Answers whole messages of four bytes, and leaves the rest unread. */
    private static final ConnectionHandler FRAMES = (connection, data) -> {
        while (data.remaining() >= Integer.BYTES) {
            ByteBuffer message = data.slice(data.position(), Integer.BYTES);
            connection.write(message);
            data.position(data.position() + Integer.BYTES);
        }
    };

    @Test
    void bytesLeftUnreadStandInFrontOfTheNext() throws Exception {
        Recorder recorder = new Recorder(FRAMES);
        TestClient client = client(serve(recorder));
        client.send("ab");
        Await.until("the first half came", () -> recorder.count("data") == 1);
        client.send("c");
        Await.until("the third byte came", () -> recorder.count("data") == 2);
        client.send("defghi").expect("abcdefgh");
        client.send("jkl").expect("ijkl");
    }

    @Test
    void bytesLeftUnreadMayGrowToTheLimit() throws Exception {
        int whole = 60_000;
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        Recorder recorder = new Recorder((connection, data) -> {
            if (data.remaining() == whole) {
                byte[] bytes = new byte[whole];
                data.get(bytes);
                read.writeBytes(bytes);
                connection.write(Recorder.bytes("done"));
            }
        });
        TestClient client = client(serve(recorder));
        byte[] sent = randomBytes(whole, 5);
        for (int at = 0; at < whole; at += 6_000) {
            client.send(java.util.Arrays.copyOfRange(sent, at, at + 6_000));
        }
        client.expect("done");
        assertArrayEquals(sent, read.toByteArray());
    }

    @Test
    void unreadLimitClosesTheConnectionWithItsReason() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {});
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withUnreadLimit(2_000)));
        TestClient client = client(reactor.listen(recorder));
        client.send(new byte[1_999]);
        Await.until("1,999 bytes came", () -> recorder.count("data") >= 1);
        client.send(new byte[1]);
        assertInstanceOf(UnreadLimitException.class, recorder.awaitClosed());
        assertEquals(1, recorder.count("closed"));
    }

    @Test
    void unreadBytesAreHandedOverWithTheEndOfTheInput() throws Exception {
        StringBuilder rest = new StringBuilder();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                rest.append(Recorder.text(unread));
                connection.close();
            }
        });
        client(serve(recorder)).send("half a mess").endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        assertEquals("half a mess", rest.toString());
    }

    /** A handler that leaves something unread and reads on with the next buffer sees no byte twice and misses none. */
    @Test
    void everyByteIsSeenOnceHoweverMuchIsLeftUnread() throws Exception {
        byte[] sent = randomBytes(300_000, 11);
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private int turn;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                take(data, data.remaining() * (turn++ % 4 + 1) / 4);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                take(unread, unread.remaining());
                connection.close();
            }

            private void take(ByteBuffer data, int count) {
                byte[] bytes = new byte[count];
                data.get(bytes);
                read.writeBytes(bytes);
            }
        });
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withUnreadLimit(512 << 10)));
        client(reactor.listen(recorder)).send(sent).endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        assertArrayEquals(sent, read.toByteArray());
    }
}
