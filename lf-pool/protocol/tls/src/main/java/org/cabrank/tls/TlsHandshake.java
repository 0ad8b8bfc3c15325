package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLHandshakeException;
import org.cabrank.stream.Connection;

/** Makes the handshake and answers later handshake messages. Limits bytes and public-key operations. Used in callbacks. */
final class TlsHandshake {
    /** Major version of SSL 3 and of all versions of TLS. */
    private static final int MAJOR_VERSION = 3;

    private final Tls tls;
    private final TlsHandler handler;
    private final Connection raw;
    private final TlsRecords records;
    private final HandshakeBound bound;

    /** True if another handshake has given its place in the {@link #bound} to this handshake. */
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

    /** Continues the handshake as far as possible. Returns true if it has succeeded. */
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
        // Checked before the unwrap. After the unwrap the engine may have delegated tasks, and then cannot refuse the
        // handshake.
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
            // Some engines (tcnative) notice only at the next call that the last message of the handshake has been
            // read.
            decrypt(TlsRecords.NOTHING);
        }
        return !records.hasFailed() && (cipher.position() > from || !wantsInput());
    }

    /** Returns true if the bytes may be TLS. If not, refuses them, because an engine would only send the alert internal_error. */
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

    /** Returns the size of the next record, or the number of available bytes if its header is incomplete. */
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

    /** Decrypts a record. If it contains plaintext, keeps the plaintext. Returns null if the handshake has failed. */
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

    /** Runs the public-key operations now, or has them run later. Returns false if they have not run yet. */
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
                // Lets the new leader run before the operations, because it may have to wait for the processor of this
                // thread.
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

    /** Called by any thread when another handshake leaves its place to this handshake. Returns false if the connection is gone. */
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
                    // In this call, some engines (tcnative) throw the exception that their alert reports.
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
