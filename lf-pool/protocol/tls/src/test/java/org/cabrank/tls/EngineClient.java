package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** A client of an embedded connection, by an engine that the test drives. */
final class EngineClient {
    private static final int BUFFER_BYTES = 32 << 10;

    final SSLEngine engine;
    private final EmbeddedConnection server;
    private ByteBuffer received = ByteBuffer.allocate(0);

    /** Records that are sent together later; null: each is sent at once. */
    private ByteArrayOutputStream gathered;

    /** Makes the handshake, as far as the server answers. */
    EngineClient(SSLContext context, EmbeddedConnection server, String version) throws SSLException {
        this.server = server;
        engine = context.createSSLEngine("server.test", 443);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {version});
        engine.beginHandshake();
        shake();
    }

    /** Exchanges messages until the engine wants nothing more, or the server sends nothing more. */
    void shake() throws SSLException {
        for (int step = 0; step < 100; step++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> wrap(ByteBuffer.allocate(0));
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_UNWRAP -> {
                    fill();
                    if (!received.hasRemaining()) {
                        return;
                    }
                    engine.unwrap(received, ByteBuffer.allocate(BUFFER_BYTES));
                }
                default -> {
                    return;
                }
            }
        }
    }

    /** Updates the keys of TLS 1.3 in both directions, or negotiates anew until TLS 1.2. */
    void shakeAgain() throws SSLException {
        engine.beginHandshake();
        shake();
    }

    /** Records from now on are sent together, by {@link #sendGathered}. */
    void gather() {
        gathered = new ByteArrayOutputStream();
    }

    void sendGathered() {
        sendGathered(Integer.MAX_VALUE);
    }

    /** Sends the gathered records in segments of so many bytes. */
    void sendGathered(int segmentBytes) {
        byte[] all = gathered.toByteArray();
        gathered = null;
        for (int at = 0; at < all.length; at += Math.min(segmentBytes, all.length - at)) {
            server.peerSends(ByteBuffer.wrap(all, at, Math.min(segmentBytes, all.length - at)));
        }
    }

    /** Ends the output of this side. */
    void sendCloseNotify() throws SSLException {
        engine.closeOutbound();
        wrap(ByteBuffer.allocate(0));
    }

    private void wrap(ByteBuffer plaintext) throws SSLException {
        ByteBuffer records = ByteBuffer.allocate(BUFFER_BYTES);
        engine.wrap(plaintext, records);
        records.flip();
        if (gathered == null) {
            server.peerSends(records);
        } else {
            gathered.write(records.array(), 0, records.limit());
        }
    }

    /** Returns the record of a text, which the test sends itself. */
    ByteBuffer record(String text) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(BUFFER_BYTES);
        engine.wrap(StandardCharsets.UTF_8.encode(text), record);
        return record.flip();
    }

    private void fill() {
        ByteBuffer more = server.peerReceivesBytes();
        received = ByteBuffer.allocate(received.remaining() + more.remaining())
                .put(received)
                .put(more)
                .flip();
    }

    void send(String text) throws SSLException {
        wrap(StandardCharsets.UTF_8.encode(text));
    }

    /** Sends a record for each 16 KiB. */
    void send(byte[] bytes) throws SSLException {
        ByteBuffer plaintext = ByteBuffer.wrap(bytes);
        while (plaintext.hasRemaining()) {
            wrap(plaintext);
        }
    }

    /** Returns all that the server has sent, and answers the messages of TLS in it. */
    byte[] receiveBytes() throws SSLException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
        fill();
        while (received.hasRemaining()) {
            SSLEngineResult result = engine.unwrap(received, plain);
            all.write(plain.array(), 0, plain.position());
            plain.clear();
            if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                wrap(ByteBuffer.allocate(0));
                fill();
            } else if (result.bytesConsumed() == 0) {
                break;
            }
        }
        return all.toByteArray();
    }

    /** Returns the text that the server has sent in front of a fatal alert, which must be the one that is named. */
    String receiveUntilAlert(String name) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
        fill();
        try {
            while (received.hasRemaining()) {
                engine.unwrap(received, plain.clear());
                all.write(plain.array(), 0, plain.position());
            }
        } catch (SSLException alert) {
            assertTrue(alert.getMessage().contains(name), alert::getMessage);
            return all.toString(StandardCharsets.UTF_8);
        }
        return fail("no alert");
    }

    String receive() throws SSLException {
        return new String(receiveBytes(), StandardCharsets.UTF_8);
    }
}
