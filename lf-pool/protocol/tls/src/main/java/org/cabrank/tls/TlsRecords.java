package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput;
import org.cabrank.stream.transport.StreamConnection;

/** The engine of one connection. Decrypts received records, and encrypts output. Used in callbacks of the connection. */
final class TlsRecords {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    static final int HEADER_BYTES = 5;
    static final int CHANGE_CIPHER_SPEC = 20;
    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int APPLICATION_DATA = 23;
    private static final int LENGTH_OFFSET = 3;

    /** Maximum number of records that the engine makes at the end of a connection. */
    static final int LAST_RECORDS_MAX = 8;

    private static final int RECORD_PLAIN_BYTES = 16 << 10;

    /** Minimum overhead of a record in bytes, for estimates of the size of encrypted plaintext. */
    private static final int RECORD_OVERHEAD_MIN = 64;

    /** The warnings user_canceled and close_notify, as engines send them. */
    private static final byte[] PLAIN_CANCELLATION = {21, 3, 3, 0, 2, 1, 90, 21, 3, 3, 0, 2, 1, 0};

    /** Alert to a client whose server name is not served (RFC 6066, 3). */
    static final byte UNRECOGNIZED_NAME = 112;

    static final byte UNEXPECTED_MESSAGE = 10;

    static final byte PROTOCOL_VERSION = 70;

    /** Header of a record whose length is not allowed in any version of TLS. */
    private static final byte[] FORBIDDEN_RECORD = {22, 3, 3, (byte) 0xff, (byte) 0xff};

    private final Tls tls;
    private final Connection raw;

    /** Takes records without a limit. The room for plaintext has been checked before, and received bytes cause only a few TLS messages. */
    final DecoratorOutput output;

    /** The stream connection below this TLS connection. Null if TLS runs over a connection of another kind. */
    private final StreamConnection below;

    /** If the context is chosen by name, null until the client has sent the host name. */
    private SSLEngine engine;

    private EngineFactory engines;

    /** Number of users of the engine. Users are the connection, and an executor while it runs operations. At 0 the engine is released. */
    private final AtomicInteger engineUsers = new AtomicInteger(1);

    /** Buffers of the thread that runs the current callback. Null outside of callbacks. */
    private TlsBuffers buffers;

    /** Room in bytes that the engine needs to decrypt a record. It is 0 during the handshake. */
    private int plainBytes;

    /** Room in bytes that the engine needs to encrypt a record. It is 0 during the handshake. */
    private int recordBytes;

    private boolean tls13;

    private Throwable failure;

    /** True if bytes that the service had written were dropped, for example because of a failure. */
    private boolean droppedOutput;

    TlsRecords(Tls tls, Connection raw) {
        this.tls = tls;
        this.raw = raw;
        this.output = DecoratorOutput.of(raw);
        this.below = StreamConnection.below(raw);
        if (below != null) {
            below.requireUnread(TlsBuffers.RECORD_BYTES); // a record is incomplete until its last byte has arrived
        }
    }

    static int contentBytes(ByteBuffer cipher, int at) {
        return cipher.getShort(at + LENGTH_OFFSET) & 0xffff;
    }

    void begin(EngineFactory factory, SSLEngine made) throws SSLException {
        engines = factory;
        engine = made;
        engine.beginHandshake();
    }

    SSLEngine engine() {
        return engine;
    }

    /** {@code withheld} is true if the service has not been notified of the peer's end yet. */
    void withholdEnd(boolean withheld) {
        if (below != null) {
            below.withholdEnd(withheld);
        }
    }

    /** Returns true if a send has failed. The socket then takes no more bytes, but input may still arrive. */
    boolean isOutputLost() {
        return below != null && below.outputFailure() != null;
    }

    void established() {
        noteSizes();
        tls13 = engine.getSession().getProtocol().equals("TLSv1.3");
    }

    private void noteSizes() {
        plainBytes =
                engine.getSession().getApplicationBufferSize(); // asked once, because a session takes a lock to answer
        recordBytes = engine.getSession().getPacketBufferSize();
    }

    /** Called if a record has too little room. Returns true if it is longer than RFC 8446 allows, and the engine accepts it. */
    boolean expectsLongerRecords() {
        int before = plainBytes;
        noteSizes();
        return plainBytes > before;
    }

    boolean isTls13() {
        return tls13;
    }

    /** Adds a user of the engine, for another thread. That thread must call {@link #leaveEngine} when it has finished. */
    void shareEngine() {
        engineUsers.incrementAndGet();
    }

    void leaveEngine() {
        if (engineUsers.decrementAndGet() == 0 && engine != null) {
            engines.release(engine);
        }
    }

    void closeEngine() {
        if (engine != null && engineUsers.get() == 1) { // otherwise an operation may hold the lock of the engine
            engine.closeOutbound();
        }
    }

    /** Takes the buffers of the calling thread. The caller must call {@link TlsBuffers#giveBack} and {@link #leaveBuffers} afterwards. */
    TlsBuffers takeBuffers() {
        buffers = TlsBuffers.take(engines.prefersDirectBuffers());
        return buffers;
    }

    /** Called when the callback has ended or has given up the connection. */
    void leaveBuffers() {
        buffers = null;
    }

    TlsBuffers buffers() {
        return buffers;
    }

    int gatheredBytes() {
        return buffers.gather.position();
    }

    Throwable failure() {
        return failure;
    }

    boolean hasFailed() {
        return failure != null;
    }

    void noteDropped(boolean any) {
        droppedOutput |= any;
    }

    boolean hasDroppedOutput() {
        return droppedOutput;
    }

    void noteFailure(Throwable cause) {
        failure = cause;
    }

    /** Ends the connection with a fatal alert. An engine sends an alert only when it refuses a record, so it gets a forbidden record. */
    void refuse(SSLException cause) {
        try {
            engine.unwrap(ByteBuffer.wrap(FORBIDDEN_RECORD), ByteBuffer.allocate(plainBytes()));
        } catch (SSLException expected) {
            // Its alert is sent by fail.
        }
        fail(cause);
    }

    /** Notifies the peer that the handshake is cancelled, although no side has violated TLS. */
    void cancelHandshake() {
        engine.closeOutbound();
        encryptLast();
        raw.flush();
    }

    void sendPlainAlert(byte description) {
        output.writeUnbounded(ByteBuffer.wrap(new byte[] {21, 3, 3, 0, 2, 2, description}));
    }

    /** Ends the connection before keys are agreed on. Sends the alert itself, because the engine does not make it. */
    void refuseInClear(byte description, SSLException cause) {
        failure = cause;
        sendPlainAlert(description);
        raw.close();
    }

    /** Cancels the handshake like {@link #cancelHandshake}, when there is no engine yet. */
    void sendPlainCancellation() {
        output.writeUnbounded(ByteBuffer.wrap(PLAIN_CANCELLATION));
        raw.flush();
    }

    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
            if (plainBytes != 0 && cause instanceof SSLException) {
                tls.failures.increment();
            }
            noteDropped(buffers.gather.position() > 0);
            TlsBuffers.erase(buffers.gather, buffers.gather.position());
            if (cause instanceof SSLException) {
                encryptLast();
                engine.closeOutbound(); // no effect on an engine that had an alert to send
                encryptLast();
                raw.close();
            } else {
                raw.abort(); // does not wait for a peer that sends more than it may
            }
        }
    }

    int plainBytes() {
        return plainBytes != 0 ? plainBytes : engine.getSession().getApplicationBufferSize();
    }

    /** Decrypts the first record. Returns null if the connection ends. */
    SSLEngineResult decrypt(ByteBuffer cipher, ByteBuffer plain) {
        try {
            return engines.prefersDirectBuffers() || !cipher.hasRemaining()
                    ? engine.unwrap(cipher, plain)
                    : decryptOnHeap(cipher, plain);
        } catch (SSLException forbidden) {
            fail(forbidden);
            return null;
        }
    }

    private SSLEngineResult decryptOnHeap(ByteBuffer cipher, ByteBuffer plain) throws SSLException {
        ByteBuffer record = buffers.firstRecord(cipher);
        int count = record.remaining();
        try {
            SSLEngineResult result = engine.unwrap(record, plain);
            cipher.position(cipher.position() + record.position());
            return result;
        } finally {
            TlsBuffers.erase(record, count);
        }
    }

    private int recordBytes() {
        return recordBytes != 0 ? recordBytes : engine.getSession().getPacketBufferSize();
    }

    int encryptedBytes(long plaintextBytes) {
        int overhead = Math.max(RECORD_OVERHEAD_MIN, recordBytes() - RECORD_PLAIN_BYTES);
        return (int) Math.min(Integer.MAX_VALUE, plaintextBytes + (plaintextBytes / RECORD_PLAIN_BYTES + 1) * overhead);
    }

    void write(ByteBuffer data) {
        ByteBuffer gather = buffers.gather;
        if (data.remaining() > gather.remaining()) {
            flush();
        }
        if (data.remaining() > gather.remaining()) {
            encrypt(data);
        } else {
            gather.put(data);
        }
    }

    void flush() {
        ByteBuffer gather = buffers.gather;
        int count = gather.position();
        if (count > 0) {
            try {
                encrypt(gather.flip());
            } finally {
                TlsBuffers.erase(gather, count);
            }
        }
    }

    void encryptFile(ByteBuffer plaintext) {
        flush();
        encrypt(plaintext);
    }

    void endOutput() {
        flush();
        engine.closeOutbound();
        encryptLast();
    }

    /** Encrypts {@code plaintext}, or makes a handshake message if it is empty. Returns the new state of the handshake. */
    SSLEngineResult.HandshakeStatus encrypt(ByteBuffer plaintext) {
        SSLEngineResult.HandshakeStatus next = SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
        int room = recordBytes();
        boolean overflow;
        do {
            overflow = false;
            SSLEngineResult result;
            ByteBuffer records = buffers.records(room);
            boolean any = plaintext.hasRemaining();
            try {
                result = engine.wrap(plaintext, records);
                next = result.getHandshakeStatus();
            } catch (SSLException broken) {
                noteDropped(any); // even if the engine has consumed them
                fail(broken);
                break;
            }
            if (records.flip().hasRemaining()) {
                output.writeUnbounded(records);
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                overflow = true;
                room = 2 * room;
            } else if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                break; // this side, or up to TLS 1.2 the peer, has ended both directions
            } else if (plaintext.hasRemaining() && result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                fail(new SSLException("the engine takes no plaintext: " + result.getHandshakeStatus()));
                break;
            }
        } while (overflow || plaintext.hasRemaining());
        noteDropped(plaintext.hasRemaining());
        plaintext.position(plaintext.limit());
        return next;
    }

    /** Writes the last records of the engine, such as an alert or a close_notify. */
    void encryptLast() {
        int room = recordBytes();
        for (int record = 0; record < LAST_RECORDS_MAX && !engine.isOutboundDone(); record++) {
            try {
                ByteBuffer records = buffers.records(room);
                SSLEngineResult result = engine.wrap(NOTHING, records);
                if (records.flip().hasRemaining()) {
                    output.writeUnbounded(records);
                }
                if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                    room = 2 * room; // the peer has sent a record that is longer than RFC 8446 allows
                } else if (result.bytesProduced() == 0) {
                    return;
                }
            } catch (SSLException | WriteQueueFullException broken) {
                return; // the connection ends anyway; a peer that does not read does not see the reason
            }
        }
    }
}
