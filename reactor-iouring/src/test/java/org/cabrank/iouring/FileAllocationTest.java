package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request on a file costs a few small objects on the heap, and nothing else. */
@Tag("newest")
class FileAllocationTest {
    private static final int REQUESTS = 2_000;

    /** Named bound, of an operation, its offload, its continuation and its place in the table. */
    private static final long BYTES_MAX = 1_024;

    @TempDir
    Path dir;

    /** Writes the same buffer again and again, each time when the write before has ended. */
    private static final class Writing implements ConnectionHandler {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final CompletableFuture<Long> bytesEach = new CompletableFuture<>();
        private final ByteBuffer data = ByteBuffer.allocateDirect(16);
        private volatile ReactorFile file;
        private int left = 2 * REQUESTS;
        private long allocatedBefore;

        @Override
        public void data(Connection connection, ByteBuffer request) throws IOException {
            request.position(request.limit());
            write(connection, 0);
        }

        private void write(Connection connection, int written) throws IOException {
            assertTrue(written == 0 || written == data.capacity());
            if (left == REQUESTS) {
                allocatedBefore = threads.getCurrentThreadAllocatedBytes();
            }
            if (left-- > 0) {
                file.write(connection, data.clear(), 0, this::write);
            } else {
                bytesEach.complete((threads.getCurrentThreadAllocatedBytes() - allocatedBefore) / REQUESTS);
            }
        }
    }

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    @Test
    void aRequestAllocatesLittleAndNoDirectMemory() throws Exception {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        Writing handler = new Writing();
        try (StreamServer server = StreamServer.builder()
                        .backend(Backend.of(new IoUringBackendProvider(TestKernel.any(), RingOptions.DEFAULT)))
                        .listen("127.0.0.1", 0)
                        .handler(() -> handler)
                        .start();
                ReactorFile file = server.reactor()
                        .openFile(dir.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                TestClient client = TestClient.connect(TestReactor.loopback(server.port()))) {
            handler.file = file;
            long before = directBuffers();
            client.send("x");
            long bytesEach = handler.bytesEach.get(120, TimeUnit.SECONDS);
            assertTrue(bytesEach <= BYTES_MAX, bytesEach + " bytes for each request");
            // Of the whole JVM: the connection and other threads allocate a few.
            assertEquals(before, directBuffers(), REQUESTS / 10.0, "direct buffers");
        }
    }
}
