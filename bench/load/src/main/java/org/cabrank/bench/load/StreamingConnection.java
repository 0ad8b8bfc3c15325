package org.cabrank.bench.load;

/** Keeps a fixed number of chunks under way. Latency counts from the first send of a chunk until its last byte has returned. */
final class StreamingConnection extends ChunkConnection {

    private final int chunkBytes;
    private final long[] begunNs;
    private long answered;

    StreamingConnection(LoadWorker worker, int index, int place, int chunkBytes, int depth) {
        super(worker, index, place, EchoContent.mix(index));
        this.chunkBytes = chunkBytes;
        begunNs = new long[depth];
    }

    @Override
    int nextChunkBytes(long position, long underWayBytes) {
        if (underWayBytes > (long) chunkBytes * (begunNs.length - 1)) {
            return 0;
        }
        begunNs[(int) (position / chunkBytes % begunNs.length)] = System.nanoTime();
        return chunkBytes;
    }

    @Override
    int pieceBytes() {
        return WorkerBuffers.SIZE_BYTES;
    }

    @Override
    void chunkSent() {
        // Nothing to do. A chunk is counted when it has returned.
    }

    @Override
    void checkedUpTo(long position) {
        if (position / chunkBytes == answered) {
            return;
        }
        long nowNs = System.nanoTime();
        for (; answered < position / chunkBytes; answered++) {
            worker.tally().answered(0, nowNs - begunNs[(int) (answered % begunNs.length)]);
        }
    }
}
