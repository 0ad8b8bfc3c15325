package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import org.cabrank.bench.load.engine.NativeBuffers;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;

/**
 * One socket of the generator. The subclass decides on the content. Used by the worker's thread. To close, a connection ends its output,
 * and then reads until the server ends its output, so that surplus bytes are detected.
 */
abstract class LoadConnection {

    static final String MORE_THAN_SENT = "wrong answer: more bytes than were sent";

    private static final String CLOSED_EARLY = "closed by the server before the answer";

    private static final int INTEREST = Epoll.EPOLLIN | Epoll.EPOLLRDHUP;

    private static final String HANDSHAKE = "TLS handshake: ";

    private static final String TOO_LATE = "connect: no answer in time";

    final LoadWorker worker;
    final Kernel kernel;
    final int index;
    private final int place;
    private int fd = -1;

    private TlsClientChannel tls;

    private boolean connecting;
    private boolean begun;
    private boolean leftRampUp;
    private boolean watchesOutput;
    private boolean ending;
    private boolean retired;

    /** {@code index} numbers the connections of the run, and {@code place} those of the worker. */
    LoadConnection(LoadWorker worker, int index, int place) {
        this.worker = worker;
        this.kernel = worker.kernel();
        this.index = index;
        this.place = place;
    }

    public final int place() {
        return place;
    }

    abstract void start(long nowNs);

    abstract void readable();

    abstract void writable();

    abstract boolean awaitsAnswer();

    /** Begins to connect. {@link #start} is called when the connection is established. After a failure, it is not called. */
    void begin(long nowNs) {
        connect();
    }

    /** Called when the server has ended its output after {@link #halfClose}. */
    void ended() {
        close();
    }

    /** Called if no port is free. Returns true if the connection will try again. */
    boolean waitForPort() {
        return false;
    }

    /** Returns true if the connection sends before an event reports it as established. */
    boolean sendsAtOnce() {
        return false;
    }

    abstract boolean unsent();

    /** Returns a prefix for the texts of the connection's errors. */
    String role() {
        return "";
    }

    final boolean open() {
        return fd >= 0;
    }

    final boolean retired() {
        return retired;
    }

    final boolean hasLeftRampUp() {
        return leftRampUp;
    }

    final void connect() {
        begun = true;
        int socket = worker.sockets().open();
        if (socket < 0) {
            fail("socket: " + Errno.describe(-socket));
            return;
        }
        fd = socket;
        tls = worker.tls(fd);
        ending = false;
        int result = worker.sockets().connect(fd);
        if (result == -Errno.EADDRNOTAVAIL && waitForPort()) {
            release();
            return;
        }
        if (result < 0 && result != -Errno.EINPROGRESS) {
            fail("connect: " + Errno.describe(-result));
            return;
        }
        connecting = tls != null || !sendsAtOnce();
        if (open()) {
            watchesOutput = connecting || unsent();
            watch(Epoll.EPOLL_CTL_ADD);
        }
    }

    final void ready(int events) {
        if (!open()) {
            return;
        }
        if (connecting) {
            connected();
            return;
        }
        if (tls != null) {
            readyTls(events);
            return;
        }
        if ((events & ~Epoll.EPOLLOUT) != 0) {
            if (ending) {
                readToEnd();
            } else {
                readable();
            }
        }
        if (open() && (events & Epoll.EPOLLOUT) != 0) {
            writable();
        }
    }

    /** Also reads bytes that the channel received earlier, because no event reports these bytes. */
    private void readyTls(int events) {
        TlsClientChannel channel = tls;
        channel.beginTurn();
        boolean writable = (events & Epoll.EPOLLOUT) != 0;
        int result = writable ? channel.flush() : 0;
        if (result < 0 && !TlsClientChannel.notReady(result)) {
            fail("send: " + Errno.describe(-result));
            return;
        }
        boolean readable = (events & ~Epoll.EPOLLOUT) != 0;
        while (tls == channel && (readable || channel.buffered())) {
            readable = false;
            if (ending) {
                readToEnd();
            } else {
                readable();
            }
        }
        if (tls == channel && writable) {
            if (ending) {
                halfClose();
            } else if (!channel.unsent()) {
                writable();
            }
        }
    }

    private void connected() {
        if (tls == null || !tls.begun()) {
            int error = worker.sockets().error(fd);
            if (error != 0) {
                fail("connect: " + Errno.describe(error));
                return;
            }
        }
        if (tls != null && !handshaken()) {
            return;
        }
        connecting = false;
        watchOutput(false);
        start(System.nanoTime());
    }

    private boolean handshaken() {
        tls.beginTurn();
        try {
            int flushed = tls.flush();
            if (flushed < 0 && !TlsClientChannel.notReady(flushed)) {
                fail(HANDSHAKE + Errno.describe(-flushed));
                return false;
            }
            boolean over = tls.handshake();
            watchOutput(false);
            return over && open();
        } catch (SSLException failed) {
            tls.sendAlert();
            fail(HANDSHAKE + failed.getMessage());
            return false;
        }
    }

    final void giveUpConnecting() {
        if (connecting || !begun) {
            fail(TOO_LATE);
        }
        leaveRampUp();
    }

    final void leaveRampUp() {
        if (!leftRampUp) {
            leftRampUp = true;
            worker.leftRampUp();
        }
    }

    /** Sends up to {@code count} bytes, and returns their number. {@link #writable} is called when the socket has room for the rest. */
    final int send(long address, int count) {
        int sent = tls == null ? kernel.send(fd, address, count, Sockets.MSG_NOSIGNAL) : sendEncrypted(count);
        if (sent == count) {
            watchOutput(false);
            return sent;
        }
        if (sent >= 0 || sent == -Errno.EAGAIN || sent == -Errno.EINTR) {
            watchOutput(true);
            return Math.max(0, sent);
        }
        if (open()) {
            fail("send: " + Errno.describe(-sent));
        }
        return 0;
    }

    private int sendEncrypted(int count) {
        try {
            return tls.send(count);
        } catch (SSLException failed) {
            fail("TLS: " + failed.getMessage());
            return -Errno.EPIPE;
        }
    }

    /**
     * Tries to send before an event reports the connection as established. Returns the number of bytes sent, or a negative errno. The
     * errno is EAGAIN if the connection is not established yet.
     */
    final int sendEarly(long address, int count) {
        return kernel.send(fd, address, count, Sockets.MSG_NOSIGNAL);
    }

    /** Returns the number of bytes read. Returns 0 if no bytes are available, or if the connection has just ended. */
    final int receive(long address, int room) {
        int count = tls == null ? kernel.recv(fd, address, room, 0) : receiveDecrypted(room);
        if (count > 0) {
            return count;
        }
        if (count == 0 && ending) {
            ended();
        } else if (count == 0) {
            fail(awaitsAnswer() ? CLOSED_EARLY : "closed by the server");
        } else if (count != -Errno.EAGAIN && count != -Errno.EINTR) {
            fail("recv: " + Errno.describe(-count));
        }
        return 0;
    }

    private int receiveDecrypted(int room) {
        try {
            return tls.receive(room);
        } catch (SSLException failed) {
            boolean cutOff = TlsClientChannel.CUT_OFF.equals(failed.getMessage());
            tls.sendAlert();
            fail(cutOff && awaitsAnswer() ? CLOSED_EARLY : "TLS: " + failed.getMessage());
            return -Errno.EAGAIN;
        }
    }

    /** Ends the output. If the server sends another byte afterwards, the connection fails. */
    final void halfClose() {
        ending = true;
        if (tls != null && !notifiedOfEnd()) {
            return;
        }
        int result = kernel.shutdown(fd, Sockets.SHUT_WR);
        // A TLS server may have closed the connection when it received the close_notify.
        if (result < 0 && tls == null) {
            fail("shutdown: " + Errno.describe(-result));
        }
    }

    /** Sends the close_notify. Returns false if the socket is full or the connection has failed. */
    private boolean notifiedOfEnd() {
        try {
            int result = tls.closeOutput();
            if (result > 0 || TlsClientChannel.notReady(result)) {
                watchOutput(false);
                return result > 0 && open();
            }
            fail("send: " + Errno.describe(-result));
        } catch (SSLException failed) {
            fail("TLS: " + failed.getMessage());
        }
        return false;
    }

    private void readToEnd() {
        if (receive(worker.buffers().incomingAddress(), 1) > 0) {
            fail(MORE_THAN_SENT);
        }
    }

    final void finish() {
        if (awaitsAnswer() && open()) {
            fail("answer missing");
        } else if (!open() || connecting) {
            close();
        } else if (!ending) {
            halfClose();
        }
    }

    final void abandon() {
        if (!retired) {
            fail("not closed by the server though this side was");
        }
    }

    final void fail(String kind) {
        worker.tally().failed(role() + kind);
        close();
    }

    final void failWrong(String where) {
        worker.tally().wrongAnswer(role() + "connection " + index + ", " + where);
        fail("wrong answer");
    }

    final void close() {
        release();
        if (!retired) {
            retired = true;
            worker.retired();
            leaveRampUp();
        }
    }

    final void release() {
        if (open()) {
            kernel.close(fd);
            fd = -1;
            connecting = false;
            if (tls != null) {
                tls.release();
                tls = null;
            }
        }
    }

    final void watchOutput(boolean wanted) {
        boolean watched = wanted || tls != null && tls.unsent();
        if (watchesOutput != watched) {
            watchesOutput = watched;
            watch(Epoll.EPOLL_CTL_MOD);
        }
    }

    private void watch(int operation) {
        int result = worker.poll().watch(operation, fd, INTEREST | (watchesOutput ? Epoll.EPOLLOUT : 0), place);
        if (result < 0) {
            fail("epoll_ctl: " + Errno.describe(-result));
        }
    }

    static ByteBuffer buffer(int bytes) {
        return NativeBuffers.of(bytes);
    }
}
