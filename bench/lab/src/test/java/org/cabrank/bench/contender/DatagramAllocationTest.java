package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.load.datagram.DatagramGenerator;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.DatagramResult;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.transport.LentBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cabrank's server of datagrams allocates nothing for a datagram, once its code is compiled. */
@NewestJdk
@Timeout(300)
final class DatagramAllocationTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long RUN_NS = 100_000_000L;

    /** Less than the smallest object has; and the view of a checked buffer, which the build has handlers given. */
    private static final int BYTES_PER_DATAGRAM_MAX = 4 + (LentBuffers.CHECKED ? 72 : 0);

    @Test
    void aCompiledServerAllocatesNothingForADatagram() throws Exception {
        try (RunningServer server = Servers.start("cabrank-epoll-deferred", Servers.settings(Protocol.DATAGRAMS))) {
            DatagramLoad load = DatagramLoad.closedLoop(server.address(), 64, 4, 16);
            double each;
            do { // until the compiler is done: the time limit of the test ends a server that always allocates
                long[] threads = serverThreads();
                long before = allocated(threads);
                DatagramResult result = DatagramGenerator.measure(Kernels.system(), load, 0, RUN_NS);
                assertEquals(0, result.wrong());
                each = (double) (allocated(threads) - before) / Math.max(1, result.sent());
            } while (each > BYTES_PER_DATAGRAM_MAX);
        }
    }

    private static long[] serverThreads() {
        return Stream.of(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith("datagrams-"))
                .mapToLong(ThreadInfo::getThreadId)
                .toArray();
    }

    private static long allocated(long[] threads) {
        return LongStream.of(THREADS.getThreadAllocatedBytes(threads)).sum();
    }
}
