package org.cabrank.bench.load;

import java.nio.ByteBuffer;

/** Requests and answers of one size, one at a time, each answer compared with its request byte by byte. */
final class RequestConnection extends LoadConnection {

    /** One byte more than an answer has: shows a server that sends too much. */
    private static final int SPARE_BYTES = Long.BYTES;

    private final int sizeBytes;
    private final ByteBuffer request;
    private final ByteBuffer answer;
    private final long requestAddress;
    private final long answerAddress;
    private int sequence;
    private int sentBytes;
    private int receivedBytes;
    private long intendedNs;
    private boolean awaitsAnswer;

    RequestConnection(LoadWorker worker, int index, int sizeBytes) {
        super(worker, index);
        this.sizeBytes = sizeBytes;
        request = buffer(sizeBytes + SPARE_BYTES);
        answer = buffer(sizeBytes + SPARE_BYTES);
        requestAddress = kernel.addressOf(request);
        answerAddress = kernel.addressOf(answer);
    }

    @Override
    void start(long nowNs) {
        worker.first(this, nowNs);
    }

    @Override
    void allHaveCome(long nowNs) {
        if (open() && !awaitsAnswer) {
            worker.idle(this, nowNs);
        }
    }

    @Override
    boolean awaitsAnswer() {
        return awaitsAnswer;
    }

    /** Sends the next request; its latency counts from {@code intendedAtNs}. */
    void request(long intendedAtNs) {
        sequence++;
        EchoContent.write(request, sizeBytes, index, sequence);
        intendedNs = intendedAtNs;
        sentBytes = 0;
        receivedBytes = 0;
        awaitsAnswer = true;
        writable();
    }

    @Override
    void writable() {
        int left = awaitsAnswer ? sizeBytes - sentBytes : 0;
        if (left == 0) {
            watchOutput(false);
            return;
        }
        sentBytes += send(requestAddress + sentBytes, left);
    }

    @Override
    void readable() {
        receivedBytes += receive(answerAddress + receivedBytes, sizeBytes + 1 - receivedBytes);
        if (!open() || receivedBytes == 0) {
            return;
        }
        if (receivedBytes > sentBytes || !awaitsAnswer) {
            fail("wrong answer: more bytes than were sent");
        } else if (receivedBytes == sizeBytes) {
            answered();
        }
    }

    private void answered() {
        int wrongAt = EchoContent.firstWrongByte(answer, sizeBytes, index, sequence);
        if (wrongAt >= 0) {
            worker.wrongAnswer(
                    "connection " + index + ", request " + sequence + ", byte " + wrongAt + " of " + sizeBytes);
            fail("wrong answer");
            return;
        }
        awaitsAnswer = false;
        receivedBytes = 0;
        long nowNs = System.nanoTime();
        worker.answered(sizeBytes, nowNs - intendedNs);
        worker.idle(this, nowNs);
        settle();
    }
}
