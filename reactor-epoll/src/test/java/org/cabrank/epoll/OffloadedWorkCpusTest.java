package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.ThreadPlacement;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CPUs of offloaded work when the shard that offloads it is pinned. */
class OffloadedWorkCpusTest {
    private static final int MASK_BYTES = 1 << 10;
    private static final int CALLER = 0;

    /** Named bound: on a machine that is busy, some threads may not get so far; the masks of those that do still count. */
    private static final long SPIN_MAX_NS = 2_000_000_000;

    private Kernel kernel;
    private BitSet all;

    @BeforeEach
    void readTheMask() {
        kernel = TestKernel.any();
        all = mask();
        assumeTrue(all.cardinality() > 1, "one CPU: all threads are on it");
    }

    private BitSet mask() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(MASK_BYTES);
        assertEquals(0, kernel.schedGetaffinity(CALLER, MASK_BYTES, kernel.addressOf(bytes)));
        return BitSet.valueOf(bytes);
    }

    private void pin(BitSet cpus) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(MASK_BYTES);
        bytes.put(0, cpus.toByteArray());
        assertEquals(0, kernel.schedSetaffinity(CALLER, MASK_BYTES, kernel.addressOf(bytes)));
    }

    private BitSet firstCpu() {
        BitSet first = new BitSet();
        first.set(all.nextSetBit(0));
        return first;
    }

    @Test
    void virtualThreadsOfAPinnedShardRunWhereTheProcessMay() throws Exception {
        assumeTrue(OffloadExecutors.hasVirtualThreads());
        masksOfWork(() -> OffloadExecutors.virtualThreadsElse("slow", 1, 1), all.cardinality());
    }

    @Test
    void platformThreadsOfAPinnedShardRunWhereTheProcessMay() throws Exception {
        masksOfWork(() -> OffloadExecutors.platformThreads("slow", 3, 3), 3);
    }

    /** As many pieces at once as there are threads to carry them: none waits in a way that lets another use its thread. */
    private void masksOfWork(Supplier<ExecutorService> made, int atOnce) throws Exception {
        AtomicInteger running = new AtomicInteger();
        List<BitSet> masks = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<BitSet> shard = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(atOnce);
        ExecutorService executor = made.get();
        ThreadPlacement pinning = (number, thread) -> pin(firstCpu());
        try (StreamReactor reactor = StreamReactor.builder()
                .backend(Backend.named("epoll"))
                .placement(pinning)
                .start()) {
            InetSocketAddress address = (InetSocketAddress) reactor.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ListenOptions.DEFAULT,
                            () -> (connection, data) -> {
                                data.position(data.limit());
                                shard.set(mask());
                                connection.offload(
                                        executor,
                                        () -> {
                                            running.incrementAndGet();
                                            long beginNs = System.nanoTime();
                                            while (running.get() < atOnce
                                                    && System.nanoTime() - beginNs < SPIN_MAX_NS) {
                                                Thread.onSpinWait(); // a virtual thread that waited would leave its
                                                // carrier
                                            }
                                            masks.add(mask());
                                            done.countDown();
                                            return null;
                                        },
                                        (resumed, result) -> resumed.close());
                            })
                    .address();
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                clients.add(TestClient.connect(address).send("x"));
            }
            assertTrue(done.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            for (TestClient client : clients) {
                client.expectEnd().close();
            }
        } finally {
            executor.shutdown();
        }
        assertEquals(firstCpu(), shard.get());
        assertFalse(masks.isEmpty());
        for (BitSet mask : masks) {
            assertEquals(all, mask);
        }
    }
}
