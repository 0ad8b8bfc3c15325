package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.UnreadLimitException;
import org.cabrank.stream.transport.AnsweringHandler;

/** Decrypts records for the handler. Keeps plaintext until the handler has read it, and then erases it. Used in callbacks. */
final class TlsInput {
    /** Size of an encrypted alert in TLS 1.3: level, description, content type and tag. Such an alert looks like application data. */
    private static final int ENCRYPTED_ALERT_BYTES = 2 + 1 + 16;

    private final TlsHandler handler;
    private final Connection raw;
    private final TlsRecords records;
    private final TlsHandshake handshake;
    private final UnreadPlaintext unread;

    /** True if unread plaintext must be given to the service again when reading continues. */
    private boolean redeliver;

    /** Plaintext that {@code data} of the service is reading. Null when {@code data} has returned or has begun a nested wait. */
    private ByteBuffer lentPlain;

    private int lentPlainBytes;

    /** True while {@code inputClosed} of the service is reading the last plaintext, which is in {@link #unread}. */
    private boolean restLent;

    private boolean endSeen;

    private volatile boolean endReported;

    private boolean handlerReplaced;

    /** True if the next record is an alert that must not be read yet, because an answer to earlier bytes is still under way. */
    private boolean alertHeld;

    /** True if a completion will call {@link #continueWithAlert} when the socket has taken the written bytes. */
    private boolean awaitsTaken;

    TlsInput(TlsHandler handler, Connection raw, TlsRecords records, TlsHandshake handshake) {
        this.handler = handler;
        this.raw = raw;
        this.records = records;
        this.handshake = handshake;
        this.unread = new UnreadPlaintext(raw);
    }

    void beginCallback() {
        handlerReplaced = false;
    }

    boolean isEndSeen() {
        return endSeen;
    }

    boolean isEndReported() {
        return endReported;
    }

    boolean isAlertHeld() {
        return alertHeld;
    }

    boolean isHandlerReplaced() {
        return handlerReplaced;
    }

    /** Called when the service has replaced its handler. The new handler gets the unread plaintext and the end. */
    void handlerReplaced() {
        handlerReplaced = true;
        endReported = false;
        records.withholdEnd(endSeen);
        redeliver |= !unread.isEmpty() && lentPlain == null && !restLent;
    }

    /** Called when reading has resumed, or offloaded work is done. The service then gets its unread plaintext again. */
    void giveUnreadAgain() {
        redeliver = true;
    }

    boolean mustRedeliver() {
        return redeliver && !unread.isEmpty();
    }

    boolean hasMore() {
        return mustRedeliver() || alertHeld || endSeen && !endReported;
    }

    void redeliver() throws Exception {
        deliver(unread.bytes());
    }

    void drop() {
        unread.drop();
    }

    void receive(ByteBuffer cipher) throws Exception {
        int before = handler.timesLetGo();
        boolean more = cipher.hasRemaining() || redeliver;
        while (more && !records.hasFailed() && !endSeen && handler.link().takesInput()) {
            ByteBuffer plain = room();
            if (plain == null) {
                return;
            }
            int start = plain.position();
            more = decryptInto(plain, start, cipher);
            if (plain.position() > start) {
                unread.putInFront(plain);
                deliver(plain);
            } else if (mustRedeliver()) {
                redeliver();
            }
            if (handler.timesLetGo() != before) {
                return;
            }
        }
        reportEnd();
    }

    /** Calls {@link #decryptRecords}, and erases the plaintext if an exception is thrown. */
    private boolean decryptInto(ByteBuffer plain, int start, ByteBuffer cipher) {
        boolean returned = false;
        try {
            boolean more = decryptRecords(cipher, plain, start);
            returned = true;
            return more;
        } finally {
            if (!returned && plain == records.buffers().plain) { // other memory is erased when the connection closes
                TlsBuffers.erase(plain, plain.position());
            }
        }
    }

    /**
     * Decrypts records while there is room. Stops before a record that may end the output, so that the service first answers the plaintext
     * before it. Returns true if more records may be decrypted. {@code start} is the initial position of {@code plain}.
     */
    private boolean decryptRecords(ByteBuffer cipher, ByteBuffer plain, int start) {
        while (cipher.hasRemaining() && plain.remaining() >= records.plainBytes()) {
            if (mayEndOutput(cipher)) {
                if (plain.position() > start || mustRedeliver()) {
                    return true;
                }
                records.flush();
                if (!records.isTls13() && !mayRead(cipher.get(cipher.position()))) {
                    return false;
                }
            }
            SSLEngineResult result = records.decrypt(cipher, plain);
            if (result == null) {
                return false;
            }
            switch (result.getStatus()) {
                case BUFFER_UNDERFLOW -> {
                    return false;
                }
                case CLOSED -> {
                    endSeen = true;
                    records.withholdEnd(true);
                    if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                        records.encryptLast(); // the close_notify of this side, or another message that was due
                        if (records.engine().isOutboundDone()) {
                            handler.link().outputEndedByPeer();
                        }
                    }
                    return false;
                }
                case BUFFER_OVERFLOW -> {
                    // The next call of room() gives more room. Without more room the next call would change nothing.
                    return plain.position() > start || records.expectsLongerRecords();
                }
                case OK -> {
                    if (!handshake.answer(result.getHandshakeStatus())
                            || result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                        return false;
                    }
                }
            }
        }
        return cipher.hasRemaining();
    }

    /** Returns true if the next record may be something other than application data. In TLS 1.3 only the size shows it. */
    private boolean mayEndOutput(ByteBuffer cipher) {
        int at = cipher.position();
        return cipher.get(at) != TlsRecords.APPLICATION_DATA
                || records.isTls13()
                        && cipher.remaining() >= TlsRecords.HEADER_BYTES
                        && (short) TlsRecords.contentBytes(cipher, at) <= ENCRYPTED_ALERT_BYTES; // negative: too long
    }

    /** Called up to TLS 1.2. Holds an alert back while an answer is under way, because engines send nothing after a close_notify. */
    private boolean mayRead(byte contentType) {
        if (contentType == TlsRecords.HANDSHAKE) {
            records.refuse(new SSLException(
                    "the peer has sent a handshake message after the handshake: renegotiation is refused"));
            return false;
        }
        if (contentType == TlsRecords.ALERT && isAnswerUnderWay()) {
            alertHeld = true;
            records.withholdEnd(true);
            records.output.holdInput(true); // no answer can depend on bytes after an alert
            return false;
        }
        return true;
    }

    /** Lets a held-back alert be read if no answer is under way any more. */
    void continueWithAlert() {
        if (alertHeld && !isAnswerUnderWay()) {
            alertHeld = false;
            records.output.holdInput(false);
        }
    }

    /** Returns true if the service may still write an answer. When the result may have changed, {@link #continueWithAlert} is called. */
    private boolean isAnswerUnderWay() {
        records.flush(); // a task may have written
        if (records.isOutputLost()) {
            return false;
        }
        boolean byOthers = handler.service() instanceof AnsweringHandler answering && answering.mayAnswer();
        if (byOthers || handler.callbackWaits() || handler.link().isHoldingOutput()) {
            return true;
        }
        if (raw.queuedBytes() == 0) {
            return false;
        }
        if (!awaitsTaken) { // a writer that waits for room or for a completion may continue the answer
            try {
                raw.whenWritten((connection, failed) -> {
                    awaitsTaken = false;
                    if (failed == null) {
                        handler.call(this::continueWithAlert);
                    }
                });
                awaitsTaken = true;
            } catch (RejectedExecutionException full) {
                return false;
            }
        }
        return true;
    }

    /** Returns the buffer for the plaintext of the next record. If the shard has no memory, ends the connection and returns null. */
    ByteBuffer room() {
        try {
            return unread.room(records.buffers().plain, records.plainBytes());
        } catch (ShardMemoryException none) {
            records.fail(none);
            return null;
        }
    }

    /** Gives the service the plaintext from 0 to the position. */
    private void deliver(ByteBuffer plain) throws Exception {
        int before = handler.timesLetGo();
        int count = plain.position();
        redeliver = false;
        handlerReplaced = false;
        lentPlain = plain;
        lentPlainBytes = count;
        boolean returned = false;
        try {
            plain.flip().order(ByteOrder.BIG_ENDIAN);
            if (!handler.link().isClosing()) { // a closing connection still sends a file, and drops its input
                handler.service().data(handler.link(), plain);
            }
            returned = true;
        } finally {
            if (!returned && handler.timesLetGo() == before) { // the handler has thrown: the connection is closed next
                lentPlain = null;
                TlsBuffers.erase(plain, count);
            }
        }
        if (handler.timesLetGo() != before) {
            return;
        }
        lentPlain = null;
        plain.limit(count);
        if (handler.link().isClosing()) {
            plain.position(count);
        }
        boolean ofThread = plain == records.buffers().plain;
        keepRest(plain);
        if (ofThread) {
            TlsBuffers.erase(plain, count);
        }
        boolean held = handlerReplaced || !handler.link().takesInput();
        handlerReplaced = false; // further plaintext is given to the next handler
        redeliver = held && !unread.isEmpty();
        if (!held
                && !unread.isEmpty()
                && unread.bytes().position() >= raw.limits().unreadLimit()) {
            records.fail(new UnreadLimitException(
                    raw + ": the handler has left " + raw.limits().unreadLimit() + " bytes unread, the limit"));
        }
    }

    /** Keeps plaintext that the engine has returned during the handshake. It is in {@code plain}, from 0 to the position. */
    void keepForLater(ByteBuffer plain) {
        int count = plain.position();
        unread.putInFront(plain);
        boolean ofThread = plain == records.buffers().plain;
        keepRest(plain.flip());
        if (ofThread) {
            TlsBuffers.erase(plain, count);
        }
        redeliver = true;
    }

    /** Keeps the plaintext from the position to the limit. If the shard has no memory, ends the connection. */
    private void keepRest(ByteBuffer plain) {
        try {
            unread.keepRest(
                    plain,
                    handler.link().takesInput()
                            ? records.plainBytes()
                            : 0); // no record is decrypted while reading is paused
        } catch (ShardMemoryException none) {
            records.fail(none);
        }
    }

    /** If the peer has sent a close_notify, reports it to the service, unless a callback waits or reading is paused. */
    void reportEnd() throws Exception {
        if (!endSeen
                || endReported
                || handler.callbackWaits()
                || handler.link().isClosing()
                || !handler.link().takesInput()) {
            return;
        }
        endReported = true;
        records.withholdEnd(false);
        int before = handler.timesLetGo();
        ByteBuffer rest = unread.isEmpty()
                ? records.buffers().plain.clear().limit(0)
                : unread.bytes().flip();
        boolean ofThread = rest == records.buffers().plain;
        lentPlainBytes = rest.limit();
        restLent = true;
        try {
            handler.service().inputClosed(handler.link(), rest.order(ByteOrder.BIG_ENDIAN));
        } finally {
            if (handler.timesLetGo() == before) {
                restLent = false;
                dropRest(ofThread ? null : rest);
            } else if (!ofThread) {
                TlsBuffers.erase(rest, rest.capacity()); // the memory was left to the callback
            }
        }
    }

    /** Called after the end was reported. Drops the unread plaintext, unless a new handler must get {@code rest}, which may be null. */
    private void dropRest(ByteBuffer rest) {
        if (rest != null && !endReported) {
            keepRest(rest);
        } else {
            unread.drop();
        }
    }

    /**
     * Called when the current callback begins a nested wait. The service later gets its unread plaintext again. The last plaintext stays
     * with the callback that got it, unless the callback has replaced the handler.
     */
    void letGo() {
        if (lentPlain != null) {
            keepUnread(lentPlain);
            redeliver = !unread.isEmpty();
        } else if (restLent && !endReported && !unread.isEmpty()) {
            keepUnread(unread.bytes());
        } else if (restLent) {
            unread.leaveToCallback();
        }
        restLent = false;
    }

    private void keepUnread(ByteBuffer plain) {
        lentPlain = null;
        unread.leaveToCallback();
        plain.limit(lentPlainBytes);
        keepRest(plain);
        TlsBuffers.erase(plain, lentPlainBytes);
        plain.limit(0);
    }
}
