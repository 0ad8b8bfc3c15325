package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.panama.generated.LinuxCalls;
import org.junit.jupiter.api.Test;

class DowncallsTest {
    /** Size of the table of {@link ErrnoCapture}. */
    private static final int PLACES = 1024;

    @Test
    void functionThatDoesNotFitTheSharedShapeIsRefused() {
        MemorySegment address = LinuxCalls.getpagesize$address();
        assertRefused(address, FunctionDescriptor.of(JAVA_DOUBLE));
        assertRefused(address, FunctionDescriptor.of(JAVA_INT, JAVA_DOUBLE));
        assertRefused(
                address,
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    }

    private static void assertRefused(MemorySegment address, FunctionDescriptor descriptor) {
        assertThrows(IllegalArgumentException.class, () -> Downcalls.link(address, descriptor));
        assertThrows(IllegalArgumentException.class, () -> Downcalls.linkCritical(address, descriptor));
    }

    @Test
    void criticalCallBringsItsErrorToo() {
        MethodHandle close = Downcalls.linkCritical(LinuxCalls.close$address(), LinuxCalls.close$descriptor());
        assertEquals(-Errno.EBADF, Downcalls.call(close, -1, 0, 0, 0, 0, 0));
    }

    /** Two threads whose ids share a place in the table take it from each other at every call. */
    @Test
    void threadsThatShareAPlaceInTheTableKeepTheirOwnErrors() throws Exception {
        Kernel kernel = new PanamaKernel();
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2, DowncallsTest::threadOfTheSamePlace);
        try {
            Future<Long> one = threads.submit(() -> repeat(together, () -> kernel.close(-1), Errno.EBADF));
            Future<Long> other = threads.submit(() -> repeat(together, () -> kernel.epollCreate1(-1), Errno.EINVAL));
            assertNotEquals(one.get(), other.get());
            assertEquals(0, (other.get() - one.get()) % PLACES);
        } finally {
            threads.shutdown();
        }
    }

    /** Every new thread takes the next id: uses them up until one comes whose place is the first. */
    private static Thread threadOfTheSamePlace(Runnable task) {
        for (int i = 0; i < 100 * PLACES; i++) {
            Thread thread = new Thread(task);
            if (thread.threadId() % PLACES == 0) {
                return thread;
            }
        }
        throw new AssertionError("thread ids do not count up");
    }

    private static long repeat(CyclicBarrier together, Failing call, int errno) throws Exception {
        for (int i = 0; i < 1_000; i++) {
            together.await();
            assertEquals(-errno, call.result());
        }
        return Thread.currentThread().threadId();
    }

    private interface Failing {
        int result();
    }
}
