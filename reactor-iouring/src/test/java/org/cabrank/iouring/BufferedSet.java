package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.transport.ChunkPool;

/** A handle set with receive buffers that nobody watches: the test plays the watcher. */
final class BufferedSet implements AutoCloseable {
    static final int BUFFERS = 16;
    static final int BUFFER_BYTES = 64;
    static final int CHUNK_BYTES = 256;

    private final RingHandleSet set;
    private final ReceiveBuffers buffers;
    private final ChunkPool chunks;

    private BufferedSet(RingHandleSet set, RingOptions options) throws IOException {
        this.set = set;
        this.chunks = new ChunkPool(CHUNK_BYTES, set.kernel()::addressOf);
        this.buffers = set.provideBuffers(chunks, options);
    }

    static BufferedSet open(Kernel kernel) throws IOException {
        return open(kernel, RingOptions.DEFAULT);
    }

    /**
     * With queues and buffers of this size, whatever the options say; the test is skipped, with the reason, where io_uring is
     * unavailable.
     */
    static BufferedSet open(Kernel kernel, RingOptions wanted) throws IOException {
        RingOptions options = wanted.withEntries(8, 32).withReceiveBuffers(BUFFERS, BUFFER_BYTES);
        try {
            return new BufferedSet(new RingHandleSet(kernel, Deactivation.CLAIM, options), options);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    /** For several threads; the calling thread is to be the ring's owner. */
    static BufferedSet openRelieved(Kernel kernel) throws IOException {
        return openRelieved(kernel, RingOptions.DEFAULT.withEntries(8, 32).withReceiveBuffers(BUFFERS, BUFFER_BYTES));
    }

    static BufferedSet openRelieved(Kernel kernel, RingOptions options) throws IOException {
        try {
            return new BufferedSet(new RingHandleSet(kernel, Deactivation.CLAIM, options, true), options);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    static BufferedSet open() throws IOException {
        return open(TestKernel.any());
    }

    RingHandleSet set() {
        return set;
    }

    ReceiveBuffers buffers() {
        return buffers;
    }

    ChunkPool chunks() {
        return chunks;
    }

    /** As if the kernel had put these bytes into a buffer. */
    long received(int buffer, byte... bytes) {
        buffers.ring().taken(buffer);
        buffers.ring().view(buffer).clear().put(0, bytes);
        return InboundQueue.piece(buffer, 0, bytes.length);
    }

    @Override
    public void close() {
        set.close();
    }
}
