package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.TestReactor;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** A reactor on {@link FaultyRings}, and what it must not keep: descriptors, buffers, slots, chunks. */
final class FaultyServer implements AutoCloseable {
    /** Everything overflows at once. */
    static final RingOptions TINY = RingOptions.DEFAULT.withEntries(2, 4).withReceiveBuffers(2, 64);

    static final RingOptions SMALL = RingOptions.DEFAULT.withEntries(8, 32).withReceiveBuffers(8, 1 << 10);

    private final FaultyRings rings;
    private final Probe probe;
    private final TestReactor reactor;

    private FaultyServer(FaultyRings rings, RingOptions options, int threads, StreamReactor.Builder builder)
            throws IOException {
        this.rings = rings;
        probe = new Probe(rings, options);
        reactor = TestReactor.start(
                new ReactorMode("", probe, threads, Promotion.deferred(), Deactivation.CLAIM, Waiting.block()),
                builder);
    }

    static FaultyServer start(RingOptions options) throws IOException {
        return start(options, StreamReactor.builder());
    }

    static FaultyServer start(RingOptions options, StreamReactor.Builder builder) throws IOException {
        return new FaultyServer(new FaultyRings(TestKernel.any()), options, 1, builder);
    }

    static FaultyServer startWithThreads(RingOptions options, int threads) throws IOException {
        return startWithThreads(TestKernel.any(), options, threads);
    }

    static FaultyServer startWithThreads(Kernel kernel, RingOptions options, int threads) throws IOException {
        return new FaultyServer(new FaultyRings(kernel), options, threads, StreamReactor.builder());
    }

    /** With rings that have their faults from the start. */
    static FaultyServer start(FaultyRings rings, RingOptions options, StreamReactor.Builder builder)
            throws IOException {
        return new FaultyServer(rings, options, 1, builder);
    }

    FaultyRings rings() {
        return rings;
    }

    TestReactor reactor() {
        return reactor;
    }

    SocketAddress listen(ConnectionHandler handler) throws IOException {
        return reactor.listen(handler);
    }

    RingHandleSet set() {
        return shard().handleSet();
    }

    /** Skips a test of a descriptor that is closed elsewhere: before Linux 6.13 an owner, whose descriptor is registered, serves on. */
    void assumeNoticesThatTheRingIsClosed() {
        assumeTrue(
                set().ring().features().messageRegister(),
                "the owner of a ring notices it by messages only (Linux 6.13)");
    }

    private RingShard shard() {
        return (RingShard) probe.opened.shards().get(0);
    }

    ReceiveBuffers buffers() {
        return shard().buffers();
    }

    /** Waits until all connections have left and nothing of theirs is left behind. */
    void awaitOnlyListeners(int listeners) {
        Await.until(
                "the connections' slots are free",
                () -> set().table().live() == listeners && reactor.handleCount() == listeners);
        Await.until(
                "the kernel has all buffers",
                () -> buffers().ring().free() == buffers().ring().buffers());
        // A slot is free before the memory that it has used.
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
        assertEquals(0, set().staleCompletions(), "completions of nobody");
    }

    @Override
    public void close() {
        reactor.close();
        assertEquals(List.of(), set().table().all(), "slots in use");
    }

    private static final class Probe implements BackendProvider {
        private final Kernel kernel;
        private final RingOptions options;
        private volatile StreamBackend opened;

        Probe(Kernel kernel, RingOptions options) {
            this.kernel = kernel;
            this.options = options;
        }

        @Override
        public String name() {
            return IoUringBackendProvider.NAME;
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public String refusal(StreamSettings settings) {
            return new IoUringBackendProvider(kernel, options).refusal(settings);
        }

        @Override
        public StreamBackend open(StreamSettings settings) throws IOException {
            opened = new IoUringBackendProvider(kernel, options).open(settings);
            return opened;
        }
    }
}
