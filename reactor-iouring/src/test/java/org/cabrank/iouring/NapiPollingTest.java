package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.NapiPolling;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringNapi;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** NAPI busy polling as the kernel reports it for a ring, and the receive queues that a ring names. */
@Timeout(300)
class NapiPollingTest {
    private static final RingOptions POLLING = Rings.SMALL.withNapiBusyPoll(Duration.ofNanos(50_000));

    /** Above every number of a CPU, as NAPI ids are. */
    private static final int QUEUE = 70_000;

    /** Sockets whose packets come through receive queues of a device that does not exist, and what is registered for them. */
    private static final class Queues extends ForwardingKernel {
        private final AtomicInteger sockets = new AtomicInteger();
        private final int queues;
        private final List<String> added = new CopyOnWriteArrayList<>();

        Queues(Kernel next, int queues) {
            super(next);
            this.queues = queues;
        }

        @Override
        public int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
            if (level != Sockets.SOL_SOCKET || name != Sockets.SO_INCOMING_NAPI_ID) {
                return super.getsockopt(fd, level, name, value, lengthAddress);
            }
            int queue = sockets.getAndIncrement() % queues;
            viewOf(value, Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(0, QUEUE + queue);
            return 0;
        }

        @Override
        public int ioUringRegister(int fd, int opcode, long arg, int count) {
            String queue = "";
            if (opcode == IoUring.IORING_REGISTER_NAPI
                    && viewOf(arg, IoUringNapi.SIZE_BYTES).get(IoUringNapi.OPCODE_OFFSET) != 0) {
                queue = "queue "
                        + (viewOf(arg, IoUringNapi.SIZE_BYTES).getInt(IoUringNapi.OP_PARAM_OFFSET) - QUEUE)
                        + ": ";
            }
            int result = super.ioUringRegister(fd, opcode, arg, count);
            if (!queue.isEmpty()) {
                added.add(queue + result);
            }
            return result;
        }
    }

    @Test
    void theKernelReportsWhatWasAskedFor() throws IOException {
        RingOptions all = POLLING.withNapiPrefer(true).withNapiStatic(true);
        try (Ring ring = Rings.open(TestKernel.any(), all)) {
            assertEquals("true", Rings.fdInfo(ring, "napi_prefer_busy_poll"));
            assertEquals("static", Rings.fdInfo(ring, "napi tracking"));
            String description = ring.features().describe();
            assertTrue(
                    description.contains("50 us, preferred to interrupts, static tracking of 0 receive queues"),
                    description);
        }
        try (Ring ring = Rings.open(TestKernel.any(), POLLING)) {
            assertEquals("50000", Rings.fdInfo(ring, "napi_busy_poll_dt"));
            assertEquals("false", Rings.fdInfo(ring, "napi_prefer_busy_poll"));
            assertEquals("dynamic", Rings.fdInfo(ring, "napi tracking"));
        }
    }

    @Test
    void eachReceiveQueueIsNamedOnce() throws Exception {
        Rings.openDisabled(TestKernel.any(), POLLING.withNapiStatic(true)).close();
        Queues kernel = new Queues(TestKernel.any(), 2);
        try (StreamServer server = StreamServer.builder()
                .backend(Backend.of(new IoUringBackendProvider(kernel, POLLING.withNapiStatic(true))))
                .listen("127.0.0.1", 0)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            for (int i = 0; i < 5; i++) {
                echo(server.port());
            }
            String description = server.reactor().backendDescription();
            assertTrue(description.contains("static tracking of 2 receive queues"), description);
        }
        assertEquals(List.of("queue 0: 0", "queue 1: 0"), kernel.added);
    }

    private static void echo(int port) throws IOException {
        try (Socket client = new Socket("127.0.0.1", port)) {
            client.getOutputStream().write('x');
            assertEquals('x', client.getInputStream().read());
        }
    }

    @Test
    void queuesBeyondTheLimitAreCountedAndLeftToInterrupts() throws IOException {
        Queues kernel = new Queues(TestKernel.any(), NapiPolling.QUEUES_MAX + 3);
        try (Ring ring = Rings.open(kernel, POLLING.withNapiStatic(true))) {
            NapiPolling napi = ring.features().napi();
            for (int i = 0; i < NapiPolling.QUEUES_MAX + 3; i++) {
                napi.track(ring.fd());
            }
            assertEquals(NapiPolling.QUEUES_MAX, kernel.added.size());
            assertTrue(
                    napi.state().endsWith("(3 connections came through others, which are beyond the limit)"),
                    napi.state());
        }
    }

    @Test
    void aSocketWithoutAReceiveQueueIsLeftAlone() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), POLLING.withNapiStatic(true))) {
            ring.features().napi().track(ring.fd());
            assertTrue(ring.features().napi().state().contains(" 0 receive queues"));
        }
    }
}
