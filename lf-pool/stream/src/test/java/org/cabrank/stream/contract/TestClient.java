package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A peer of the reactor under test that is not made of it: the JDK's, with blocking calls. An end by FIN and one by RST are
 * told apart: after a reset, reading fails.
 */
public final class TestClient implements AutoCloseable {
    static final int RECEIVE_BUFFER = 4 << 10;

    private final SocketChannel channel;

    private final StreamLayer.Wire wire;

    private TestClient(SocketChannel channel, StreamLayer.Wire wire) {
        this.channel = channel;
        this.wire = wire;
    }

    /** Connects a client without a layer. */
    public static TestClient connect(SocketAddress address) throws IOException {
        return of(SocketChannel.open(address));
    }

    /** A client over a channel that the test has connected. */
    public static TestClient of(SocketChannel connected) throws IOException {
        return of(connected, StreamLayer.NONE);
    }

    /** A client of a layer over a channel that the test has connected. */
    static TestClient of(SocketChannel connected, StreamLayer layer) throws IOException {
        return new TestClient(connected, layer.client(connected));
    }

    /** Connects a client that takes few bytes unless it reads. */
    public static TestClient connectToReadLittle(SocketAddress address) throws IOException {
        return connectToRead(address, RECEIVE_BUFFER, StreamLayer.NONE);
    }

    /** Connects with a receive buffer that is small before the client connects (tcp(7)). */
    static TestClient connectToRead(SocketAddress address, int receiveBufferBytes, StreamLayer layer)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
        channel.connect(address);
        return of(channel, layer);
    }

    public SocketChannel channel() {
        return channel;
    }

    public TestClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public TestClient send(byte[] bytes) throws IOException {
        wire.write(ByteBuffer.wrap(bytes));
        return this;
    }

    /** Says that no more will come, and goes on reading. */
    public TestClient endOutput() throws IOException {
        wire.endOutput();
        return this;
    }

    public byte[] read(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining()) {
            if (wire.read(buffer) < 0) {
                throw new AssertionError("the connection ended after " + buffer.position() + " of " + count + " bytes");
            }
        }
        return buffer.array();
    }

    public TestClient expect(String text) throws IOException {
        assertEquals(text, new String(read(text.length()), StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Reads a word in brackets. */
    String readWord() throws IOException {
        StringBuilder word = new StringBuilder();
        do {
            word.append((char) read(1)[0]);
        } while (word.charAt(word.length() - 1) != ')' && word.charAt(word.length() - 1) != ']');
        return word.toString();
    }

    /** Returns the bytes up to the peer's end of its output. */
    public byte[] readToEnd() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        while (wire.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toByteArray();
    }

    /** Reads so many bytes if they come, ends this side, and waits for the other's end. */
    public void readToEndAfter(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && wire.read(buffer) >= 0) {
            continue;
        }
        endOutput().readToEnd();
    }

    /** Reads until the end, whichever it is. */
    public void readAndForget() {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        try {
            while (wire.read(buffer) >= 0) {
                buffer.clear();
            }
        } catch (IOException reset) {
            buffer.clear(); // an end like any other here
        }
    }

    /** The orderly end: FIN. */
    public TestClient expectEnd() throws IOException {
        return expectToEnd("");
    }

    /** This text, and then the orderly end. */
    public TestClient expectToEnd(String text) throws IOException {
        assertEquals(text, new String(readToEnd(), StandardCharsets.ISO_8859_1));
        return this;
    }

    public void expectReset() {
        assertThrows(IOException.class, this::readToEnd);
    }

    /** Ends with a reset instead of an orderly end. */
    public void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
