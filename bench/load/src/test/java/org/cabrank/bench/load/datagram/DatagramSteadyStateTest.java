package org.cabrank.bench.load.datagram;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.fixture.PlayedDatagrams;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.ChildJvm;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Datagrams of the generator and their answers, once compiled, allocate nothing; before, each call of the kernel makes a view of 40 bytes.
 * The test runs in a JVM with all compilers, because the quick compiler of other tests never removes the views.
 */
@NewestJdk
@Timeout(300)
final class DatagramSteadyStateTest {
    private static final int SIZE = 64;
    private static final long PATIENCE_NS = 5_000_000_000L;
    private static final long WINDOW_NS = 50_000_000;

    /** Datagrams of a window, at least: a busy machine may stop the server for longer than a window. */
    private static final long DATAGRAMS_MIN = 500;

    /** Named bound: windows before the test reports that a datagram allocates. */
    private static final int WINDOWS_MIN = 100;

    @Test
    void aDatagramAllocatesNothing() throws Exception {
        ChildJvm.assertOneSays("0 bytes a datagram", DatagramSteadyStateTest.class);
    }

    /** @param arguments none */
    public static void main(String[] arguments) throws IOException, InterruptedException, JMException {
        AtomicLong answered = new AtomicLong();
        AtomicReference<Thread> worker = new AtomicReference<>();
        try (PlayedDatagrams server = new PlayedDatagrams((socket, datagram, number) -> {
            answered.incrementAndGet();
            socket.send(datagram);
        })) {
            DatagramGenerator generator = DatagramGenerator.start(
                    TestKernel.any(),
                    DatagramLoad.closedLoop(server.address(), SIZE, 2, 8).withLossTimeout(PATIENCE_NS),
                    () -> worker.set(Thread.currentThread()));
            generator.awaitAnswer(PATIENCE_NS);
            generator.beginMeasuring();
            long perDatagram = Long.MAX_VALUE;
            long deadlineNs = System.nanoTime() + Await.PATIENCE_NS / 2; // compilers have to share a busy machine
            for (int i = 0; perDatagram != 0 && (i < WINDOWS_MIN || System.nanoTime() - deadlineNs < 0); i++) {
                long bytes = allocatedBytes(worker.get());
                long datagrams = answered.get();
                generator.run(WINDOW_NS);
                bytes = allocatedBytes(worker.get()) - bytes;
                datagrams = answered.get() - datagrams;
                perDatagram = datagrams < DATAGRAMS_MIN ? perDatagram : bytes / datagrams;
            }
            generator.finish();
            System.out.println(perDatagram + " bytes a datagram");
        }
    }

    /** An operation of HotSpot's bean, whose interface is in a module that the tests do not read. */
    @SuppressWarnings("deprecation") // threadId() is newer than JDK 17
    private static long allocatedBytes(Thread thread) throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                        "getThreadAllocatedBytes",
                        new Object[] {thread.getId()},
                        new String[] {"long"});
    }
}
