package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Sends GET requests for {@link Plaintext}. Checks the status, the length and the content of each answer. */
final class HttpGetConnection extends RequestConnection {

    private static final byte[] STATUS = HttpGet.STATUS.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FAST = Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SLOW = Plaintext.SLOW_BODY.getBytes(StandardCharsets.US_ASCII);

    private final byte[] request;
    private final int answerBytes;

    private boolean slow;

    HttpGetConnection(LoadWorker worker, int index, int place, HttpGet get, int depth, SendingPace pace) {
        this(worker, index, place, get, HttpGet.request(get.host()), depth, pace);
    }

    private HttpGetConnection(
            LoadWorker worker, int index, int place, HttpGet get, byte[] request, int depth, SendingPace pace) {
        super(worker, index, place, new Sizes(request.length, get.answerBytes()), depth, pace);
        this.request = request;
        answerBytes = get.answerBytes();
    }

    @Override
    void write(ByteBuffer into, int at, int from, int to, int sequence) {
        into.put(at, request, from, to - from);
    }

    @Override
    int firstWrongByte(ByteBuffer answer, int at, int from, int to, int sequence) {
        for (int position = from; position < Math.min(to, STATUS.length); position++) {
            if (answer.get(at + position - from) != STATUS[position]) {
                return position;
            }
        }
        int content = answerBytes - FAST.length;
        for (int position = Math.max(from, content); position < to; position++) {
            byte found = answer.get(at + position - from);
            boolean fast = found == FAST[position - content];
            if (!fast && found != SLOW[position - content]) {
                return position;
            }
            slow |= !fast;
        }
        return -1;
    }

    /** The server answers a request only when the whole request has arrived. */
    @Override
    long answeredBytesMax(long sent) {
        return sent / request.length * answerBytes;
    }

    @Override
    boolean takeFast() {
        boolean fast = !slow;
        slow = false;
        return fast;
    }
}
