package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A client that sends the frames of a WebSocket as it is asked to. */
final class RawWebSocket implements Closeable {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;

    /** Values of the length that say where the length is: in the next two bytes, or in the next eight. */
    private static final int SHORT_LENGTH = 126;

    private static final int LONG_LENGTH = 127;
    private static final int HEADER_MAX = 14;

    private final Socket socket;
    private final DataInputStream in;

    /** A frame without its mask. */
    record Frame(int opcode, boolean last, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        int closeCode() {
            assertEquals(CLOSE, opcode);
            return ByteBuffer.wrap(payload).getShort() & 0xffff;
        }
    }

    /**
     * Connects and shakes hands.
     *
     * @param receiveBytes size of the socket's receive buffer; 0: the kernel's choice
     */
    RawWebSocket(InetSocketAddress address, int receiveBytes) throws IOException {
        socket = new Socket();
        if (receiveBytes > 0) {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) ProgramContract.PATIENCE_MS);
        socket.connect(address);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream()
                .write(("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        while (!response.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            response.write(in.readUnsignedByte());
        }
        assertTrue(response.toString(StandardCharsets.US_ASCII).startsWith("HTTP/1.1 101 "), response::toString);
    }

    static byte[] frame(int opcode, boolean last, byte[] payload) {
        byte[] mask = {1, 2, 3, 4};
        ByteBuffer frame =
                ByteBuffer.allocate(HEADER_MAX + payload.length).put((byte) (last ? FINAL | opcode : opcode));
        if (payload.length < SHORT_LENGTH) {
            frame.put((byte) (MASKED | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (MASKED | SHORT_LENGTH)).putShort((short) payload.length);
        } else {
            frame.put((byte) (MASKED | LONG_LENGTH)).putLong(payload.length);
        }
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i % mask.length]));
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }

    static byte[] closeFrame(int code) {
        return frame(CLOSE, true, ByteBuffer.allocate(2).putShort((short) code).array());
    }

    static byte[] text(String text) {
        return frame(TEXT, true, text.getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends the bytes in pieces, each in a segment of its own. */
    void send(byte[] bytes, int piece) throws IOException {
        for (int sent = 0; sent < bytes.length; sent += piece) {
            socket.getOutputStream().write(bytes, sent, Math.min(piece, bytes.length - sent));
        }
    }

    Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        if (length == SHORT_LENGTH) {
            length = in.readUnsignedShort();
        } else if (length == LONG_LENGTH) {
            length = Math.toIntExact(in.readLong());
        }
        return new Frame(first & 0x0f, (first & FINAL) != 0, in.readNBytes(length));
    }

    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
