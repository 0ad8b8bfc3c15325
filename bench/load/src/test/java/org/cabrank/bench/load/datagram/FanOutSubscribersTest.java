package org.cabrank.bench.load.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers of a gateway that the test plays. */
@Timeout(300)
final class FanOutSubscribersTest {
    private static final int FLOWS = 2;
    private static final int HEADER_BYTES = Integer.BYTES + Short.BYTES;

    private ServerSocket gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private FanOutSubscribers connected(Kernel kernel) throws Exception {
        FanOutSubscribers subscribers = warmingUp(kernel);
        subscribers.measuring(true);
        return subscribers;
    }

    private FanOutSubscribers warmingUp(Kernel kernel) throws Exception {
        InetSocketAddress address = (InetSocketAddress) gateway.getLocalSocketAddress();
        FanOutSubscribers subscribers = new FanOutSubscribers(kernel, address, FLOWS, 1, 0);
        subscribers.start();
        subscribers.awaitConnected();
        return subscribers;
    }

    private static byte[] frame(int bytes, int run, int flow, long number) {
        byte[] frame = new byte[HEADER_BYTES + bytes];
        ByteBuffer content = ByteBuffer.wrap(frame).putInt(Short.BYTES + bytes);
        if (bytes >= DatagramContent.BYTES_MIN) {
            DatagramContent.write(
                    content.order(ByteOrder.LITTLE_ENDIAN), HEADER_BYTES, run, flow, number, System.nanoTime());
        }
        return frame;
    }

    private static byte[] frame(int run, int flow, long number) {
        return frame(DatagramContent.BYTES_MIN, run, flow, number);
    }

    /** Subscribers read all frames that the gateway has sent before the end. */
    @Test
    void eachOutcomeOfADatagramIsCounted() throws Exception {
        FanOutSubscribers subscribers = connected(Kernels.system());
        try (Socket connection = gateway.accept()) {
            OutputStream out = connection.getOutputStream();
            int run = subscribers.runId();
            for (long number : new long[] {7, 8, 8, 10, 10, 12, 11}) {
                out.write(frame(run, 0, number));
            }
            out.write(frame(run, 1, 3));
            FanOutSubscribers.Outcome outcome = subscribers.finish();
            assertEquals(Map.of(), outcome.errors());
            assertEquals(8, outcome.frames());
            assertEquals(1, outcome.lost(), "9 is missing, whatever was repeated");
            assertEquals(2, outcome.duplicated());
            assertEquals(1, outcome.reordered());
            assertEquals(0, outcome.foreign());
            assertEquals(1.0 / 7, outcome.lossRatio(), 1e-9);
            assertEquals(6, outcome.latencies().getTotalCount());
            assertEquals(0, outcome.starved());
        }
    }

    /** A frame may be read in one interval and its datagram be due in another. */
    @Test
    void allFiguresAreOfDatagramsThatAreDueInTheMeasuredInterval() throws Exception {
        FanOutSubscribers subscribers = warmingUp(Kernels.system());
        try (Socket connection = gateway.accept()) {
            OutputStream out = connection.getOutputStream();
            int run = subscribers.runId();
            byte[] warmUp = frame(run, 0, 1);
            byte[] lostInWarmUp = frame(run, 0, 3);
            subscribers.measuring(true);
            byte[] measured = frame(run, 0, 4);
            subscribers.measuring(false);
            byte[] after = frame(run, 0, 6);
            for (byte[] each : new byte[][] {warmUp, lostInWarmUp, measured, measured, after}) {
                out.write(each);
            }
            FanOutSubscribers.Outcome outcome = subscribers.finish();
            assertEquals(2, outcome.frames());
            assertEquals(1, outcome.duplicated());
            assertEquals(0, outcome.lost(), "2 and 5 are of no measured interval");
            assertEquals(1, outcome.latencies().getTotalCount());
        }
    }

    @Test
    void datagramsOfOtherPublishersAndRunsAreForeign() throws Exception {
        FanOutSubscribers subscribers = connected(Kernels.system());
        try (Socket connection = gateway.accept()) {
            OutputStream out = connection.getOutputStream();
            int run = subscribers.runId();
            out.write(frame(run + 1, 0, 5));
            out.write(frame(run, FLOWS, 5));
            out.write(frame(run, -1, 5));
            out.write(frame(run, 0, -1));
            out.write(frame(0, 0, 0, 0));
            out.write(frame(DatagramContent.BYTES_MIN - 1, 0, 0, 0));
            FanOutSubscribers.Outcome outcome = subscribers.finish();
            assertEquals(Map.of(), outcome.errors());
            assertEquals(6, outcome.foreign());
            assertEquals(0, outcome.frames() + outcome.lost() + outcome.reordered() + outcome.duplicated());
            assertEquals(0, outcome.latencies().getTotalCount());
            assertEquals(1, outcome.starved());
        }
    }

    /** The connection always has a foreign frame to read. */
    @Test
    void theEndComesWhileAnotherPublisherSendsWithoutAPause() throws Exception {
        byte[] foreign = frame(0, 0, 0, 0);
        Kernel endless = new ForwardingKernel(Kernels.system()) {
            @Override
            public int recv(int fd, long buffer, int count, int flags) {
                next().viewOf(buffer, count).put(0, foreign);
                return foreign.length;
            }
        };
        FanOutSubscribers subscribers = connected(endless);
        try (Socket connection = gateway.accept()) {
            connection
                    .getOutputStream()
                    .write(foreign); // stays in the socket, which the kernel reports again and again
            FanOutSubscribers.Outcome outcome = subscribers.finish();
            assertTrue(outcome.foreign() > 0, outcome::toString);
        }
    }
}
