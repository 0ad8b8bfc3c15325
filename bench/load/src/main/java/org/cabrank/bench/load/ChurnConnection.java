package org.cabrank.bench.load;

import org.cabrank.kernel.Errno;

/** Connects, sends one request, receives the answer, closes, and begins again. Latency counts from the due time of the connect. */
final class ChurnConnection extends LoadConnection implements Requester {

    private final int sizeBytes;
    private final SendingPace pace;
    private int sequence;
    private int sentBytes;
    private int receivedBytes;
    private long intendedNs;
    private boolean busy;
    private long roomSinceNs;

    ChurnConnection(LoadWorker worker, int index, int place, int sizeBytes, SendingPace pace) {
        super(worker, index, place);
        this.sizeBytes = sizeBytes;
        this.pace = pace;
    }

    @Override
    void begin(long nowNs) {
        request(nowNs);
    }

    @Override
    public int room() {
        return busy || retired() ? 0 : 1;
    }

    @Override
    public long roomSinceNs() {
        return roomSinceNs;
    }

    @Override
    public void request(long intendedAtNs) {
        busy = true;
        sequence++;
        intendedNs = intendedAtNs;
        sentBytes = 0;
        receivedBytes = 0;
        connect();
    }

    @Override
    public void flush() {
        // Nothing to do: request() has already started to connect.
    }

    /** Tries again later. The next attempt uses another source address, and ports become free after some time. */
    @Override
    boolean waitForPort() {
        worker.waitForPort(this);
        return true;
    }

    /** On loopback the handshake is over when connect(2) returns. Sending at once saves a wait and two system calls. */
    @Override
    boolean sendsAtOnce() {
        int count = fill();
        int sent = sendEarly(worker.buffers().outgoingAddress(), count);
        if (sent == -Errno.EAGAIN || sent == -Errno.EINTR) {
            return false;
        }
        if (sent < 0) {
            fail("connect: " + Errno.describe(-sent));
            return true;
        }
        sentBytes = sent;
        return true;
    }

    private int fill() {
        int to = Math.min(sizeBytes, sentBytes + WorkerBuffers.SIZE_BYTES);
        EchoContent.write(worker.buffers().outgoing(), 0, sentBytes, to, sizeBytes, index, sequence);
        return to - sentBytes;
    }

    @Override
    void start(long nowNs) {
        writable();
    }

    @Override
    boolean unsent() {
        return sentBytes < sizeBytes;
    }

    @Override
    void writable() {
        while (open() && unsent()) {
            int count = fill();
            int sent = send(worker.buffers().outgoingAddress(), count);
            sentBytes += sent;
            if (sent < count) {
                return;
            }
        }
        if (open()) {
            watchOutput(false);
        }
    }

    @Override
    boolean awaitsAnswer() {
        return open() && receivedBytes < sizeBytes;
    }

    @Override
    void readable() {
        int expected = sentBytes - receivedBytes;
        int count = receive(worker.buffers().incomingAddress(), Math.min(expected + 1, WorkerBuffers.SIZE_BYTES));
        if (!open() || count == 0) {
            return;
        }
        if (count > expected) {
            fail(MORE_THAN_SENT);
            return;
        }
        int wrongAt = EchoContent.firstWrongByte(
                worker.buffers().incoming(), 0, receivedBytes, receivedBytes + count, sizeBytes, index, sequence);
        if (wrongAt >= 0) {
            failWrong("request " + sequence + ", byte " + wrongAt + " of " + sizeBytes);
            return;
        }
        receivedBytes += count;
        if (receivedBytes == sizeBytes) {
            worker.tally().answered(sizeBytes, System.nanoTime() - intendedNs);
            halfClose();
        }
    }

    @Override
    void ended() {
        release();
        busy = false;
        roomSinceNs = System.nanoTime();
        if (!hasLeftRampUp()) {
            leaveRampUp();
        } else if (worker.paced()) {
            pace.free(this, roomSinceNs);
        }
        if (worker.finishing()) {
            close();
        }
    }
}
