package org.cabrank.bench.load;

/**
 * Requests and answers of one size, up to {@code depth} under way, answered in order; each answer is compared with its
 * request byte by byte.
 *
 * <pre>
 *  requests  1 2 3 ...        answered        sent, in part perhaps      requested
 *            ─────────────────────┴──────────────────┴───────────────────────┘
 *                                  room = depth - (requested - answered)
 * </pre>
 */
class RequestConnection extends LoadConnection implements Requester {

    private final int sizeBytes;
    private final long[] intendedNs;
    private final SendingPace pace;
    private long requested;
    private long answered;
    private int answerBytes;
    private long sentBytes;
    private long receivedBytes;
    private long roomSinceNs;

    RequestConnection(LoadWorker worker, int index, int place, int sizeBytes, int depth, SendingPace pace) {
        super(worker, index, place);
        this.sizeBytes = sizeBytes;
        this.pace = pace;
        intendedNs = new long[depth];
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
        return sentBytes < requested * sizeBytes;
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

    /** Writes what comes next in the stream of requests, as much as there is room for. */
    private int fill() {
        int count = (int) Math.min(requested * sizeBytes - sentBytes, WorkerBuffers.SIZE_BYTES);
        int sequence = (int) (sentBytes / sizeBytes) + 1;
        int from = (int) (sentBytes % sizeBytes);
        for (int at = 0; at < count; sequence++) {
            int to = Math.min(sizeBytes, from + count - at);
            EchoContent.write(worker.buffers().outgoing(), at, from, to, sizeBytes, index, sequence);
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
        long expected = sentBytes - receivedBytes;
        // One byte more than is expected shows a server that sends too much.
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

    /** Compares {@code count} received bytes with the expected content. Sending uses another buffer. */
    private void verify(int count, long nowNs) {
        int at = 0;
        while (at < count && open()) {
            int to = Math.min(sizeBytes, answerBytes + count - at);
            int wrongAt = EchoContent.firstWrongByte(
                    worker.buffers().incoming(), at, answerBytes, to, sizeBytes, index, (int) answered + 1);
            if (wrongAt >= 0) {
                failWrong("request " + (answered + 1) + ", byte " + wrongAt + " of " + sizeBytes);
                return;
            }
            at += to - answerBytes;
            answerBytes = to;
            if (to == sizeBytes) {
                answerBytes = 0;
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
        worker.tally().answered(sizeBytes, nowNs - intendedNs[slot(answered)]);
        answered++;
        if (!hasSettled()) {
            settle();
        } else if (worker.paced()) {
            pace.free(this, nowNs);
        }
    }
}
