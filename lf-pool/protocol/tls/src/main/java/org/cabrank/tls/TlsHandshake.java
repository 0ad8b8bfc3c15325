package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLHandshakeException;
import org.cabrank.stream.Connection;

/** A handshake and later messages. Bounds the handshake's bytes, and a pool's public-key operations. In callbacks of the connection. */
final class TlsHandshake {
    /** Major version of SSL 3 and of all versions of TLS. */
    private static final int MAJOR_VERSION = 3;

    private final Tls tls;
    private final TlsHandler handler;
    private final Connection raw;
    private final TlsRecords records;
    private final HandshakeBound bound;

    /** True if this handshake has taken the place of another handshake in the {@link #bound}. */
    private boolean placeGiven;

    private int receivedBytes;

    TlsHandshake(Tls tls, TlsHandler handler, Connection raw, TlsRecords records, HandshakeBound bound) {
        this.tls = tls;
        this.handler = handler;
        this.raw = raw;
        this.records = records;
        this.bound = bound;
    }

    private SSLEngine engine() {
        return records.engine();
    }

    /** Continues as far as possible. Returns true if the handshake is over and has not failed. */
    boolean shake(ByteBuffer cipher) throws Exception {
        while (!records.hasFailed()) {
            switch (engine().getHandshakeStatus()) {
                case NEED_WRAP -> records.encrypt(TlsRecords.NOTHING);
                case NEED_TASK -> {
                    if (!runTasks()) {
                        return false;
                    }
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!readHandshake(cipher)) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean readHandshake(ByteBuffer cipher) {
        int from = cipher.position();
        if (receivedBytes == 0 && cipher.hasRemaining() && !mayBeFirst(cipher)) {
            return false;
        }
        // Checked before the unwrap, because an engine with delegated tasks cannot refuse the handshake.
        if (receivedBytes + nextRecordBytes(cipher) > tls.handshakeBytesMax) {
            records.refuse(new SSLHandshakeException("the handshake of the peer exceeds " + tls.handshakeBytesMax
                    + " bytes, the bound of handshakeBytesMax"));
            return false;
        }
        SSLEngineResult result = decrypt(cipher);
        if (result == null) {
            return false;
        }
        receivedBytes += cipher.position() - from;
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            records.fail(new SSLHandshakeException("the peer has closed the connection during the handshake"));
        } else if (cipher.position() > from && wantsInput()) {
            // Some engines (tcnative) notice only at their next call that a message was the last one.
            decrypt(TlsRecords.NOTHING);
        }
        return !records.hasFailed() && (cipher.position() > from || !wantsInput());
    }

    /** Refuses a first record that is not TLS, because engines report unreadable bytes as their own failure (internal_error). */
    private boolean mayBeFirst(ByteBuffer cipher) {
        int at = cipher.position();
        int type = cipher.get(at);
        boolean known = type == TlsRecords.HANDSHAKE || type == TlsRecords.ALERT;
        if (known && (cipher.remaining() == 1 || (cipher.get(at + 1) & 0xff) >= MAJOR_VERSION)) {
            return true;
        }
        records.refuseInClear(
                known ? TlsRecords.PROTOCOL_VERSION : TlsRecords.UNEXPECTED_MESSAGE,
                new SSLHandshakeException(
                        "the peer does not speak TLS: its first bytes are no record of a handshake; it may need a port without TLS"));
        return false;
    }

    /** Size of the next record by its header, or the number of available bytes if the header is incomplete. */
    private static int nextRecordBytes(ByteBuffer cipher) {
        return cipher.remaining() < TlsRecords.HEADER_BYTES
                ? cipher.remaining()
                : TlsRecords.HEADER_BYTES + TlsRecords.contentBytes(cipher, cipher.position());
    }

    private boolean wantsInput() {
        SSLEngineResult.HandshakeStatus next = engine().getHandshakeStatus();
        return next == SSLEngineResult.HandshakeStatus.NEED_UNWRAP
                || next == SSLEngineResult.HandshakeStatus.NEED_UNWRAP_AGAIN;
    }

    /** Decrypts a record, and keeps plaintext that comes with a message. Returns null if the handshake has failed. */
    private SSLEngineResult decrypt(ByteBuffer cipher) {
        ByteBuffer plain = handler.input().room();
        if (plain == null) {
            return null;
        }
        int start = plain.position();
        SSLEngineResult result = records.decrypt(cipher, plain);
        if (result != null && plain.position() > start) {
            handler.input().keepForLater(plain);
        }
        return records.hasFailed() ? null : result;
    }

    /** Runs the public-key operations, now or later. Returns false if they are not done yet. */
    private boolean runTasks() {
        if (placeGiven) {
            placeGiven = false;
        } else if (!bound.tryEnter(this)) {
            tls.handshakesDeferred.increment();
            raw.pauseReading();
            return false;
        }
        Executor executor = tls.handshakeExecutor;
        if (executor == null) {
            try {
                raw.promoteNewLeader();
                // The kernel lets the waking thread continue: a new leader on the same processor would run only after
                // the operations.
                Thread.yield();
                runDelegatedTasks();
            } finally {
                bound.leave();
            }
            return true;
        }
        boolean handedAway = false;
        records.shareEngine();
        try {
            raw.offload(
                    executor,
                    () -> {
                        try {
                            runDelegatedTasks();
                        } finally {
                            records.leaveEngine();
                            bound.leave();
                        }
                        return null;
                    },
                    (connection, nothing) -> handler.proceed(TlsRecords.NOTHING));
            handedAway = true;
        } finally {
            if (!handedAway) {
                records.leaveEngine();
                bound.leave();
            }
        }
        return false;
    }

    private void runDelegatedTasks() {
        for (Runnable task = engine().getDelegatedTask(); task != null; task = engine().getDelegatedTask()) {
            task.run();
        }
    }

    /** Called by any thread. Continues in the place of another handshake. Returns false if this connection cannot continue. */
    boolean mayGoOn() {
        try {
            raw.execute(() -> {
                placeGiven = true;
                try {
                    raw.resumeReading();
                    TlsHandler.unchecked(() -> handler.proceed(TlsRecords.NOTHING));
                } finally {
                    if (placeGiven) { // the connection has ended
                        placeGiven = false;
                        bound.leave();
                    }
                }
            });
            return true;
        } catch (RejectedExecutionException gone) {
            return false;
        }
    }

    /** Answers messages that TLS 1.3 allows after the handshake, such as a key update. Returns false if the connection must end. */
    boolean answer(SSLEngineResult.HandshakeStatus status) {
        if (status == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING
                || status == SSLEngineResult.HandshakeStatus.FINISHED) {
            return true;
        }
        SSLEngineResult.HandshakeStatus next = status;
        for (int step = 0; step < TlsRecords.LAST_RECORDS_MAX && !records.hasFailed(); step++) {
            switch (next) {
                case NEED_WRAP ->
                    // Some engines (tcnative) throw here the exception that their alert reports.
                    next = records.encrypt(TlsRecords.NOTHING);
                case NEED_TASK -> {
                    runDelegatedTasks();
                    next = engine().getHandshakeStatus();
                }
                default -> {
                    return true;
                }
            }
        }
        return !records.hasFailed();
    }
}
