package org.cabrank.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;

class OutgoingDatagramsTest {
    /** A kernel without memory. While the first thread asks for memory, another thread asks too. */
    private static final class Exhausted extends ForwardingKernel {
        private final AtomicBoolean asked = new AtomicBoolean();
        private final Thread other;
        private final AtomicInteger refused = new AtomicInteger();
        private volatile boolean memory;

        /** Run while the other thread waits. */
        private volatile Runnable meanwhile = () -> {};

        Exhausted(Runnable whileAsking) {
            super((Kernel) Proxy.newProxyInstance(
                    Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (self, call, arguments) -> {
                        throw new AssertionError(call + " is called");
                    }));
            other = new Thread(whileAsking);
            other.setDaemon(true);
        }

        @Override
        public long addressOf(ByteBuffer direct) {
            if (memory) {
                return 0;
            }
            if (!asked.getAndSet(true)) {
                other.start();
                Await.until("the other thread waits or has ended", () -> switch (other.getState()) {
                    case NEW, RUNNABLE -> false;
                    default -> true;
                });
                meanwhile.run();
            }
            refused.incrementAndGet();
            throw new OutOfMemoryError("on purpose");
        }
    }

    private OutgoingDatagrams outgoing;

    @Test
    void noThreadWaitsForABufferThatWasNeverMade() {
        Exhausted kernel = new Exhausted(() -> assertNull(outgoing.take()));
        outgoing = new OutgoingDatagrams(kernel, 2);
        assertNull(outgoing.take());
        Await.until("the other thread has got none either", () -> !kernel.other.isAlive());
        kernel.memory = true;
        assertNotNull(outgoing.take());
    }

    /** Without memory, each allocation of a direct buffer takes half a second, and other threads wait meanwhile. */
    @Test
    void threadThatHasWaitedForAnotherThreadsAllocationTakesABufferThatWasGivenBack() {
        Exhausted kernel = new Exhausted(() -> assertNotNull(outgoing.take()));
        outgoing = new OutgoingDatagrams(kernel, 3);
        kernel.memory = true;
        OutgoingDatagram first = outgoing.take();
        OutgoingDatagram second = outgoing.take();
        kernel.memory = false;
        kernel.meanwhile = () -> {
            outgoing.giveBack(first);
            outgoing.giveBack(second);
        };
        assertNotNull(outgoing.take());
        Await.until("the other thread has a buffer, too", () -> !kernel.other.isAlive());
        assertEquals(1, kernel.refused.get());
    }
}
