package org.cabrank.bench.load;

import java.util.SplittableRandom;

final class RandomChunkConnection extends ChunkConnection {

    private static final int CHUNK_BYTES_MAX = 64 * 1_024;
    private static final int SMALL_CHUNK_BYTES_MAX = 100;
    /** Larger than the socket buffers of both sides, so that the buffers are sometimes full. */
    private static final long UNDER_WAY_BYTES_MAX = 4L << 20;

    private final SplittableRandom random;

    RandomChunkConnection(LoadWorker worker, int index, int place, SplittableRandom random) {
        super(worker, index, place, random.nextLong());
        this.random = random;
    }

    @Override
    int nextChunkBytes(long position, long underWayBytes) {
        return underWayBytes > UNDER_WAY_BYTES_MAX ? 0 : pieceBytes();
    }

    /** Half of the pieces are small, because small pieces find most errors at boundaries. */
    @Override
    int pieceBytes() {
        return 1 + random.nextInt(random.nextBoolean() ? SMALL_CHUNK_BYTES_MAX : CHUNK_BYTES_MAX);
    }

    @Override
    void chunkSent() {
        worker.tally().counters().answered(0);
    }

    @Override
    void checkedUpTo(long position) {
        // Chunks are counted when they are sent, because the bytes return in different pieces.
    }
}
