package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * An endless stream of random bytes in chunks of random sizes, read back in pieces of random sizes and compared byte by
 * byte: whatever a server does with the boundaries of reads, it meets it here.
 */
final class ChunkConnection extends LoadConnection {

    private static final int CHUNK_BYTES_MAX = 64 * 1_024;
    private static final int SMALL_CHUNK_BYTES_MAX = 100;
    /** More than the socket buffers of both sides hold, so that both run full now and then. */
    private static final long IN_FLIGHT_BYTES_MAX = 4L << 20;
    /** So that one connection does not keep the others of its worker waiting. */
    private static final int CHUNKS_PER_TURN = 16;

    private final SplittableRandom random;
    private final long seed;
    private final ByteBuffer chunk = buffer(CHUNK_BYTES_MAX + 2 * Long.BYTES);
    private final ByteBuffer received = buffer(CHUNK_BYTES_MAX);
    private final long chunkAddress;
    private final long receivedAddress;
    private long sentPosition;
    private long checkedPosition;
    private int chunkBytes;
    private int chunkSentBytes;

    ChunkConnection(LoadWorker worker, int index) {
        super(worker, index);
        random = new SplittableRandom(index);
        seed = random.nextLong();
        chunkAddress = kernel.addressOf(chunk);
        receivedAddress = kernel.addressOf(received);
    }

    @Override
    void start(long nowNs) {
        settle();
        writable();
    }

    @Override
    boolean awaitsAnswer() {
        return checkedPosition < sentPosition;
    }

    @Override
    void writable() {
        for (int turn = 0; turn < CHUNKS_PER_TURN && open(); turn++) {
            if (chunkSentBytes == chunkBytes && !nextChunk()) {
                watchOutput(false);
                return;
            }
            int left = chunkBytes - chunkSentBytes;
            int sent = send(chunkAddress + chunkSentBytes, left);
            chunkSentBytes += sent;
            sentPosition += sent;
            if (sent < left) {
                return;
            }
            worker.chunkSent();
        }
        if (open()) {
            watchOutput(true);
        }
    }

    private boolean nextChunk() {
        if (worker.stopping() || sentPosition - checkedPosition > IN_FLIGHT_BYTES_MAX) {
            return false;
        }
        chunkBytes = randomSize();
        chunkSentBytes = 0;
        for (int at = 0; at < chunkBytes; at++) {
            chunk.put(at, expected(sentPosition + at));
        }
        return true;
    }

    @Override
    void readable() {
        int count = receive(receivedAddress, randomSize());
        if (!open() || count == 0) {
            return;
        }
        if (checkedPosition + count > sentPosition) {
            fail("wrong answer: more bytes than were sent");
            return;
        }
        for (int at = 0; at < count; at++) {
            if (received.get(at) != expected(checkedPosition + at)) {
                worker.wrongAnswer("connection " + index + ", byte " + (checkedPosition + at) + " of the stream");
                fail("wrong answer");
                return;
            }
        }
        checkedPosition += count;
        worker.checked(count);
        if (chunkSentBytes == chunkBytes) {
            writable();
        }
    }

    private byte expected(long position) {
        return (byte) (EchoContent.mix(seed + (position >>> 3)) >>> ((position & 7) << 3));
    }

    /** Half of them small, where most mistakes with boundaries hide. */
    private int randomSize() {
        return 1 + random.nextInt(random.nextBoolean() ? SMALL_CHUNK_BYTES_MAX : CHUNK_BYTES_MAX);
    }
}
