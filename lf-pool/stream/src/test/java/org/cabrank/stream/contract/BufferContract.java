package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.LentBuffers;
import org.junit.jupiter.api.Test;

/** State of the buffers that handlers are given, and the end of their validity. */
public abstract class BufferContract extends StreamContract {
    private static final int FRAME_BYTES = 12;

    /** Names the deviations from the state in which every callback must find its buffer, and spoils that state. */
    private static String look(ByteBuffer data) {
        StringBuilder seen = new StringBuilder();
        if (data.order() != ByteOrder.BIG_ENDIAN) {
            seen.append("order ").append(data.order()).append(' ');
        }
        if (hasMark(data)) {
            seen.append("mark ");
        }
        if (!data.isDirect() || data.isReadOnly()) {
            seen.append("kind ").append(data);
        }
        data.order(ByteOrder.LITTLE_ENDIAN).mark();
        return seen.toString();
    }

    private static boolean hasMark(ByteBuffer data) {
        int position = data.position();
        try {
            data.reset().position(position);
            return true;
        } catch (InvalidMarkException none) {
            return false;
        }
    }

    /** Frames of a length prefix and as many bytes; leaves incomplete ones unread and spoils its buffer. */
    private static final class Frames implements ConnectionHandler {
        private final List<String> deviations = new CopyOnWriteArrayList<>();

        @Override
        public void data(Connection connection, ByteBuffer data) {
            ByteBuffer frames = data.duplicate();
            frames.order(data.order());
            String deviation = look(data);
            if (!deviation.isEmpty()) {
                deviations.add(deviation);
            }
            while (frames.remaining() >= Integer.BYTES) {
                int length = frames.getInt(frames.position());
                if (length != FRAME_BYTES - Integer.BYTES) {
                    throw new IllegalStateException("a frame of " + length + " bytes");
                }
                if (frames.remaining() < FRAME_BYTES) {
                    break;
                }
                connection.write(Recorder.bytes("."));
                frames.position(frames.position() + FRAME_BYTES);
            }
            data.position(frames.position());
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            String deviation = look(unread);
            if (!deviation.isEmpty()) {
                deviations.add("at the end: " + deviation);
            }
            connection.write(Recorder.bytes("" + unread.remaining()));
            connection.close();
        }
    }

    private static byte[] frame() {
        return ByteBuffer.allocate(FRAME_BYTES)
                .putInt(FRAME_BYTES - Integer.BYTES)
                .array();
    }

    @Test
    void lengthPrefixIsReadRightlyHoweverTheBytesWereCut() throws Exception {
        Frames frames = new Frames();
        Recorder recorder = new Recorder(frames);
        TestClient client = client(serve(recorder));
        byte[] frame = frame();
        int calls = 0;
        for (int cut = 0; cut < FRAME_BYTES; cut++) {
            if (cut > 0) {
                client.send(Arrays.copyOf(frame, cut));
                int before = calls;
                Await.until("the first " + cut + " bytes came", () -> recorder.count("data") > before);
            }
            client.send(Arrays.copyOfRange(frame, cut, FRAME_BYTES)).expect(".");
            calls = recorder.count("data");
        }
        client.send(Arrays.copyOf(frame, 7)).endOutput().expectToEnd("7");
        assertEquals(List.of(), frames.deviations);
    }

    @Test
    void noConnectionSeesWhatTheHandlerOfAnotherHasSet() throws Exception {
        Frames frames = new Frames();
        SocketAddress address = serve(frames);
        for (int i = 0; i < 8; i++) {
            TestClient client = client(address).send(frame()).expect(".");
            client(address).endOutput().expectToEnd("0");
            client.send(frame()).expect(".").endOutput().expectToEnd("0");
        }
        assertEquals(List.of(), frames.deviations);
    }

    @Test
    void bytesThatAreGivenAgainComeInTheSameState() throws Exception {
        List<String> deviations = new CopyOnWriteArrayList<>();
        TestClient client = client(serve((connection, data) -> {
            deviations.add(look(data));
            connection.write(Recorder.bytes("" + (char) data.get()));
            if (data.hasRemaining()) {
                connection.pauseReading();
                connection.execute(connection::resumeReading);
            }
        }));
        client.send("abc").expect("abc");
        assertEquals(List.of("", "", ""), deviations);
    }

    @Test
    void bytesBehindALimitOfTheHandlerStayUnread() throws Exception {
        TestClient client = client(serve((connection, data) -> {
            connection.write(data.limit(data.position() + 1));
            if (data.capacity() > 16) {
                data.limit(data.capacity());
            }
        }));
        client.send("a").expect("a");
        client.send("bc").expect("b");
        client.send("d").expect("c").endOutput().expectEnd();
    }

    @Test
    void capturedBufferShowsNothingAfterTheCallbackInTheCheckingMode() throws Exception {
        assumeTrue(LentBuffers.CHECKED, "the build sets -Dcabrank.checkBuffers=true");
        CompletableFuture<List<ByteBuffer>> captured = new CompletableFuture<>();
        TestClient client = client(serve((connection, data) -> {
            captured.complete(List.of(data, data.slice(), data.duplicate()));
            connection.execute(() -> connection.write(Recorder.bytes(data.remaining() + ".")));
            connection.write(Recorder.bytes(Recorder.text(data.duplicate().position(data.position() + 1)) + ":"));
            data.get();
        }));
        client.send("abc").expect("bc:0.");
        for (ByteBuffer kept : captured.get().subList(1, 3)) {
            for (int i = 0; i < 3; i++) {
                assertEquals(LentBuffers.EXPIRED, kept.get(i));
            }
        }
        client.send("d").expect("cd:0."); // the unread bytes are not overwritten
    }
}
