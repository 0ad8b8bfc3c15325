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
    private static final int RECEIVE_BUFFER = 4 << 10;

    private final SocketChannel channel;

    private TestClient(SocketChannel channel) {
        this.channel = channel;
    }

    public static TestClient connect(SocketAddress address) throws IOException {
        return new TestClient(SocketChannel.open(address));
    }

    /** A client over a channel that the test has connected. */
    public static TestClient of(SocketChannel connected) {
        return new TestClient(connected);
    }

    /** One that takes few bytes unless it reads. Its receive buffer must be small before it connects (tcp(7)). */
    public static TestClient connectToReadLittle(SocketAddress address) throws IOException {
        return connectToRead(address, RECEIVE_BUFFER);
    }

    /** As {@link #connectToReadLittle}, with room for about so many bytes that are not read yet. */
    public static TestClient connectToRead(SocketAddress address, int receiveBufferBytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
        channel.connect(address);
        return new TestClient(channel);
    }

    public SocketChannel channel() {
        return channel;
    }

    public TestClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public TestClient send(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return this;
    }

    /** Says that no more will come, and goes on reading. */
    public TestClient endOutput() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    public byte[] read(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new AssertionError("the connection ended after " + buffer.position() + " of " + count + " bytes");
            }
        }
        return buffer.array();
    }

    public TestClient expect(String text) throws IOException {
        assertEquals(text, new String(read(text.length()), StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Returns the bytes up to the peer's end of its output. */
    public byte[] readToEnd() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        while (channel.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toByteArray();
    }

    /** Reads so many bytes if they come, ends this side, and waits for the other's end. */
    public void readToEndAfter(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            continue;
        }
        endOutput().readToEnd();
    }

    /** Reads until the end, whichever it is. */
    public void readAndForget() {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        try {
            while (channel.read(buffer) >= 0) {
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
        channel.close();
    }
}
