package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.cabrank.bench.load.TlsBufferPool.PooledBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;

/**
 * TLS of one socket of the generator. Belongs to its worker's thread, which also runs the handshake's public-key operations.
 *
 * <pre>
 *  outgoing content → wrap → unsent → send(2)
 *  recv(2) → encrypted → unwrap → plain → incoming content
 * </pre>
 */
final class TlsClientChannel {

    static final String CUT_OFF = "closed by the server without a close_notify";

    private static final int PROGRESS = 1;
    private static final int END = 0;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Kernel kernel;
    private final int fd;
    private final ClientTls tls;
    private final SSLEngine engine;
    private final TlsBufferPool pool;
    private final ByteBuffer incoming;

    private PooledBuffer unsent;

    private PooledBuffer encrypted;

    private PooledBuffer plain;

    /** True if {@link #encrypted} does not contain a complete record. */
    private boolean starved = true;

    /** True while the engine must not decrypt, because the socket has not yet taken the answer to a TLS message of the server. */
    private boolean blocked;

    private boolean filled;

    private boolean begun;

    TlsClientChannel(Kernel kernel, int fd, ClientTls tls, TlsBufferPool pool, WorkerBuffers buffers) {
        this.kernel = kernel;
        this.fd = fd;
        this.pool = pool;
        this.tls = tls;
        engine = tls.engine();
        incoming = buffers.incoming();
    }

    static boolean notReady(int result) {
        return result == -Errno.EAGAIN || result == -Errno.EINTR;
    }

    /** Returns true if the handshake has begun, which means that the socket is connected. */
    boolean begun() {
        return begun;
    }

    boolean unsent() {
        return unsent != null;
    }

    /** Returns true if there may be bytes to read that no event of the socket will report. */
    boolean buffered() {
        return plain != null || !starved && !blocked;
    }

    /** A turn reads the socket at most once, so that the other connections are not delayed. */
    void beginTurn() {
        filled = false;
    }

    /** Continues the handshake. Returns false if the handshake waits for the socket. */
    boolean handshake() throws SSLException {
        if (!begun) {
            begun = true;
            engine.beginHandshake();
        }
        int result = PROGRESS;
        HandshakeStatus next = engine.getHandshakeStatus();
        while (result > 0 && isHandshaking(next)) {
            switch (next) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    wrap(NOTHING);
                    result = flush();
                }
                default -> result = unwrap();
            }
            next = engine.getHandshakeStatus();
        }
        if (result < 0 && !notReady(result)) {
            throw new SSLException(Errno.describe(-result));
        }
        if (result == END) {
            throw new SSLException("closed by the server");
        }
        return !isHandshaking(next);
    }

    private static boolean isHandshaking(HandshakeStatus status) {
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    /** Returns the number of encrypted bytes, or a negative errno. The number is less than {@code count} if the socket is full. */
    int send(int count) throws SSLException {
        ByteBuffer content = pool.outgoing(count);
        int result = flush();
        while (result > 0 && content.hasRemaining()) {
            wrap(content);
            result = flush();
        }
        return result > 0 || notReady(result) ? content.position() : result;
    }

    /** Returns the number of bytes, 0 after the close_notify, or a negative errno. An end without close_notify is an SSLException. */
    int receive(int room) throws SSLException {
        while (plain == null) {
            int result = unwrap();
            if (result <= 0) {
                return result;
            }
            answer();
            if (plain == null && blocked) {
                return -Errno.EAGAIN;
            }
        }
        int count = Math.min(room, plain.bytes.remaining());
        incoming.put(0, plain.bytes, plain.bytes.position(), count);
        plain.bytes.position(plain.bytes.position() + count);
        if (!plain.bytes.hasRemaining()) {
            pool.give(plain);
            plain = null;
        }
        return count;
    }

    /** Answers a message that the server sent after the handshake, such as an update of keys. */
    private void answer() throws SSLException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            runTasks();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            wrap(NOTHING);
            flush(); // a failure is ignored, because the next call reports it again
        }
        blocked = engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && unsent != null;
    }

    /** Sends a close_notify. Returns a positive number if the socket took all bytes, or a negative errno. Called again after EAGAIN. */
    int closeOutput() throws SSLException {
        engine.closeOutbound();
        int result = flush();
        while (result > 0 && !engine.isOutboundDone()) {
            wrap(NOTHING);
            if (unsent == null) {
                return PROGRESS;
            }
            result = flush();
        }
        return result;
    }

    /** Sends the alert that the engine has prepared after a failure. If the socket is full, the alert is lost. */
    void sendAlert() {
        try {
            closeOutput();
        } catch (SSLException failedBefore) {
            // the cause is known already
        }
    }

    void release() {
        for (PooledBuffer buffer : new PooledBuffer[] {unsent, encrypted, plain}) {
            if (buffer != null) {
                pool.give(buffer);
            }
        }
        unsent = null;
        encrypted = null;
        plain = null;
        starved = true;
        tls.release(engine);
    }

    /** Sends the waiting bytes. Returns a positive number if the socket has taken all bytes, or a negative errno. */
    int flush() {
        while (unsent != null) {
            ByteBuffer bytes = unsent.bytes;
            int sent = kernel.send(fd, unsent.address + bytes.position(), bytes.remaining(), Sockets.MSG_NOSIGNAL);
            if (sent < 0) {
                return sent;
            }
            blocked = false;
            bytes.position(bytes.position() + sent);
            if (!bytes.hasRemaining()) {
                pool.give(unsent);
                unsent = null;
            }
        }
        return PROGRESS;
    }

    /** Encrypts as much of {@code content} as fits into {@link #unsent}, or the engine's next message if {@code content} is empty. */
    private void wrap(ByteBuffer content) throws SSLException {
        if (unsent == null) {
            unsent = pool.take();
        } else {
            unsent.bytes.compact();
        }
        try {
            SSLEngineResult result;
            do {
                result = engine.wrap(content, unsent.bytes);
            } while (result.getStatus() == SSLEngineResult.Status.OK && content.hasRemaining());
        } finally {
            unsent.bytes.flip();
            if (!unsent.bytes.hasRemaining()) {
                pool.give(unsent);
                unsent = null;
            }
        }
    }

    /** Decrypts one record to {@link #plain}. Returns a positive number, 0 after the server's close_notify, or a negative errno. */
    private int unwrap() throws SSLException {
        while (true) {
            if (starved) {
                if (filled) {
                    return -Errno.EAGAIN;
                }
                filled = true;
                int count = fill();
                if (count <= 0) {
                    return count;
                }
            }
            plain = pool.take();
            SSLEngineResult.Status status = SSLEngineResult.Status.CLOSED;
            try {
                status = engine.unwrap(encrypted.bytes, plain.bytes).getStatus();
            } finally {
                plain.bytes.flip();
                if (!plain.bytes.hasRemaining()) {
                    pool.give(plain);
                    plain = null;
                }
                if (!encrypted.bytes.hasRemaining()) {
                    pool.give(encrypted);
                    encrypted = null;
                }
                starved = encrypted == null || status != SSLEngineResult.Status.OK;
            }
            switch (status) {
                case OK -> {
                    return PROGRESS;
                }
                case CLOSED -> {
                    return END;
                }
                case BUFFER_OVERFLOW -> throw new SSLException("a record is longer than TLS permits");
                default -> {} // the record is not complete
            }
        }
    }

    private int fill() throws SSLException {
        if (encrypted == null) {
            encrypted = pool.take();
        } else {
            encrypted.bytes.compact();
        }
        ByteBuffer bytes = encrypted.bytes;
        int count = kernel.recv(fd, encrypted.address + bytes.position(), bytes.remaining(), 0);
        if (count > 0) {
            bytes.position(bytes.position() + count);
            starved = false;
        }
        bytes.flip();
        if (!bytes.hasRemaining()) {
            pool.give(encrypted);
            encrypted = null;
        }
        if (count == 0) {
            throw new SSLException(CUT_OFF);
        }
        return count;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }
}
