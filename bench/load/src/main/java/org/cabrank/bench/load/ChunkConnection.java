package org.cabrank.bench.load;

/** Sends an endless stream in chunks, and checks that the server returns the same bytes. The subclass limits the bytes under way. */
abstract class ChunkConnection extends LoadConnection {

    /** Limits a turn, so that one connection does not delay the other connections of its worker. */
    private static final int CHUNKS_PER_TURN = 16;

    private final long seed;
    private long sentPosition;
    private long checkedPosition;
    private int chunkLeftBytes;

    ChunkConnection(LoadWorker worker, int index, int place, long seed) {
        super(worker, index, place);
        this.seed = seed;
    }

    /** Returns the size of the chunk at {@code position} of the stream, or 0 if none may be sent now. */
    abstract int nextChunkBytes(long position, long underWayBytes);

    abstract int pieceBytes();

    abstract void chunkSent();

    /** Called when the bytes of the stream up to {@code position} have returned and are correct. */
    abstract void checkedUpTo(long position);

    @Override
    final void start(long nowNs) {
        leaveRampUp();
        writable();
    }

    @Override
    final boolean awaitsAnswer() {
        return checkedPosition < sentPosition;
    }

    @Override
    final boolean unsent() {
        return chunkLeftBytes > 0;
    }

    @Override
    final void writable() {
        for (int turn = 0; turn < CHUNKS_PER_TURN && open(); turn++) {
            if (chunkLeftBytes == 0 && !begunChunk()) {
                watchOutput(false);
                return;
            }
            int count = Math.min(chunkLeftBytes, WorkerBuffers.SIZE_BYTES);
            StreamContent.write(worker.buffers().outgoing(), count, seed, sentPosition);
            int sent = send(worker.buffers().outgoingAddress(), count);
            chunkLeftBytes -= sent;
            sentPosition += sent;
            if (sent < count) {
                return;
            }
            if (chunkLeftBytes == 0) {
                chunkSent();
            }
        }
        if (open()) {
            watchOutput(true);
        }
    }

    private boolean begunChunk() {
        if (!worker.stopping()) {
            chunkLeftBytes = nextChunkBytes(sentPosition, sentPosition - checkedPosition);
        }
        return chunkLeftBytes > 0;
    }

    @Override
    final void readable() {
        int count = receive(worker.buffers().incomingAddress(), pieceBytes());
        if (!open() || count == 0) {
            return;
        }
        if (checkedPosition + count > sentPosition) {
            fail(MORE_THAN_SENT);
            return;
        }
        int wrongAt = StreamContent.firstWrongByte(worker.buffers().incoming(), count, seed, checkedPosition);
        if (wrongAt >= 0) {
            failWrong("byte " + (checkedPosition + wrongAt) + " of the stream");
            return;
        }
        checkedPosition += count;
        worker.tally().counters().checked(count);
        checkedUpTo(checkedPosition);
        if (chunkLeftBytes == 0) {
            writable();
        }
    }
}
