package org.cabrank.bench.load;

import java.nio.ByteBuffer;

/**
 * Sends up to {@code depth} requests at a time. The answers come in order, and repeat the requests unless a subclass expects other content.
 *
 * <pre>
 *  requests  1 2 3 ...        answered        sent, in part perhaps      requested
 *            ─────────────────────┴──────────────────┴───────────────────────┘
 *                                  room = depth - (requested - answered)
 * </pre>
 */
class RequestConnection extends LoadConnection implements Requester {

    private final int requestBytes;
    private final int answerBytes;
    private final long[] intendedNs;
    private final SendingPace pace;
    private long requested;
    private long answered;
    private int answerPartBytes;
    private long sentBytes;
    private long receivedBytes;
    private long roomSinceNs;

    RequestConnection(LoadWorker worker, int index, int place, int sizeBytes, int depth, SendingPace pace) {
        this(worker, index, place, new Sizes(sizeBytes, sizeBytes), depth, pace);
    }

    RequestConnection(LoadWorker worker, int index, int place, Sizes sizes, int depth, SendingPace pace) {
        super(worker, index, place);
        requestBytes = sizes.requestBytes();
        answerBytes = sizes.answerBytes();
        this.pace = pace;
        intendedNs = new long[depth];
    }

    record Sizes(int requestBytes, int answerBytes) {}

    void write(ByteBuffer into, int at, int from, int to, int sequence) {
        EchoContent.write(into, at, from, to, requestBytes, index, sequence);
    }

    int firstWrongByte(ByteBuffer answer, int at, int from, int to, int sequence) {
        return EchoContent.firstWrongByte(answer, at, from, to, answerBytes, index, sequence);
    }

    /** Returns the maximum number of bytes that the server may return for {@code sent} bytes. */
    long answeredBytesMax(long sent) {
        return sent;
    }

    /** Called once for each right answer. Returns true if the answer shows that its handler did not block. */
    boolean takeFast() {
        return false;
    }

    @Override
    final void start(long nowNs) {
        request(nowNs);
        flush();
    }

    @Override
    final boolean awaitsAnswer() {
        return answered < requested;
    }

    @Override
    final boolean unsent() {
        return sentBytes < requested * requestBytes;
    }

    @Override
    public final int room() {
        return retired() ? 0 : intendedNs.length - (int) (requested - answered);
    }

    @Override
    public final long roomSinceNs() {
        return roomSinceNs;
    }

    @Override
    public final void request(long intendedAtNs) {
        intendedNs[slot(requested)] = intendedAtNs;
        requested++;
    }

    @Override
    public final void flush() {
        while (open() && unsent()) {
            int count = fill();
            int sent = send(worker.buffers().outgoingAddress(), count);
            sentBytes += sent;
            if (sent < count) {
                return;
            }
        }
    }

    private int fill() {
        int count = (int) Math.min(requested * requestBytes - sentBytes, WorkerBuffers.SIZE_BYTES);
        int sequence = (int) (sentBytes / requestBytes) + 1;
        int from = (int) (sentBytes % requestBytes);
        for (int at = 0; at < count; sequence++) {
            int to = Math.min(requestBytes, from + count - at);
            write(worker.buffers().outgoing(), at, from, to, sequence);
            at += to - from;
            from = 0;
        }
        return count;
    }

    @Override
    final void writable() {
        if (unsent()) {
            flush();
        } else {
            watchOutput(false);
        }
    }

    @Override
    final void readable() {
        long expected = answeredBytesMax(sentBytes) - receivedBytes;
        // The extra byte detects a server that sends too much.
        int room = (int) Math.min(expected + 1, WorkerBuffers.SIZE_BYTES);
        int count = receive(worker.buffers().incomingAddress(), room);
        if (!open() || count == 0) {
            return;
        }
        receivedBytes += count;
        verify((int) Math.min(count, expected), System.nanoTime());
        if (open() && count > expected) {
            fail(MORE_THAN_SENT);
        }
        flush();
    }

    /** Verifies received bytes in place. Sending a request does not overwrite them, because it uses another buffer. */
    private void verify(int count, long nowNs) {
        int at = 0;
        while (at < count && open()) {
            int to = Math.min(answerBytes, answerPartBytes + count - at);
            int wrongAt = firstWrongByte(worker.buffers().incoming(), at, answerPartBytes, to, (int) answered + 1);
            if (wrongAt >= 0) {
                failWrong("request " + (answered + 1) + ", byte " + wrongAt + " of " + answerBytes);
                return;
            }
            at += to - answerPartBytes;
            answerPartBytes = to;
            if (to == answerBytes) {
                answerPartBytes = 0;
                answered(nowNs);
            }
        }
    }

    private int slot(long request) {
        return (int) (request % intendedNs.length);
    }

    private void answered(long nowNs) {
        if (requested - answered == intendedNs.length) {
            roomSinceNs = nowNs;
        }
        long latencyNs = nowNs - intendedNs[slot(answered)];
        worker.tally().answered(answerBytes, latencyNs, takeFast());
        answered++;
        if (!hasLeftRampUp()) {
            leaveRampUp();
        } else if (worker.paced()) {
            pace.free(this, nowNs);
        }
    }
}
