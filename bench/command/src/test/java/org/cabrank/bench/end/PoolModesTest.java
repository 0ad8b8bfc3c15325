package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ways in which a pool can be run, in a soak all of them: what clients send comes back right, byte for byte. */
@Once
@Timeout(300)
final class PoolModesTest {

    /** Some megabytes; each mode has a process of its own, whose start takes longer. */
    private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** A busy machine answers nobody for a while. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int CONNECTIONS = 12;

    /** About 16 MB; sockets hold more where the server has to wait for its CPU. */
    private static final long CHUNKS_ENOUGH = 1_000;

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#all")
    void randomChunksComeBackByteForByte(PoolMode mode) throws Exception {
        try (ServeProcess server = mode.serve("echo")) {
            LoadGenerator generator = LoadGenerator.start(Kernels.system(), chunks(server.address()), () -> {});
            generator.awaitConnected();
            long before = generator.beginMeasuring();
            boolean goesOn;
            long chunks;
            do {
                // A busy machine answers nobody for a while; the time-out of the test bounds it.
                goesOn = generator.run(RUN_NS);
                chunks = generator.endMeasuring() - before;
            } while ((chunks < CHUNKS_ENOUGH || generator.measuredBytes() == 0) && goesOn);
            assertTrue(goesOn, "every connection has failed");
            LoadResult result = generator.finish();
            assertEquals(Map.of(), result.errors());
            assertNull(generator.firstWrongAnswer());
            assertTrue(result.bytes() > 0, "nothing came back");
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    private static LoadSettings chunks(HostPort address) throws Exception {
        return new LoadSettings(address.resolve(), LoadTraffic.randomChunks(CONNECTIONS), 1, PATIENCE_NS);
    }
}
