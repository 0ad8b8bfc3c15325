package org.cabrank.kernel.panama;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
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

    /** Integers and pointers that travel in registers. */
    private static final int PARAMETERS_MAX = 6;

    @Test
    void everyFunctionFitsTheSharedShape() throws ReflectiveOperationException {
        for (Method method : LinuxCalls.class.getMethods()) {
            if (method.getReturnType() == FunctionDescriptor.class) {
                FunctionDescriptor descriptor = (FunctionDescriptor) method.invoke(null);
                assertTrue(descriptor.argumentLayouts().size() <= PARAMETERS_MAX, method::getName);
                assertTrue(
                        descriptor.argumentLayouts().stream().allMatch(DowncallsTest::fitsRegister), method::getName);
                assertTrue(
                        descriptor
                                .returnLayout()
                                .map(DowncallsTest::fitsRegister)
                                .orElse(true),
                        method::getName);
            }
        }
    }

    private static boolean fitsRegister(MemoryLayout layout) {
        return layout instanceof AddressLayout
                || layout instanceof ValueLayout.OfInt
                || layout instanceof ValueLayout.OfLong;
    }

    @Test
    void criticalCallBringsItsErrorToo() {
        assertEquals(-Errno.EBADF, new PanamaKernel().epollPoll(-1, 0, 1));
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
