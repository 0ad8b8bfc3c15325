package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.junit.jupiter.api.Test;

/** Each failure brings its own error, whatever was called before it and on whichever thread. */
public abstract class ErrnoContract extends KernelContract {
    private static final int THREADS = 8;
    private static final int ROUNDS = 5_000;

    @Test
    void failureAfterSuccessAndSuccessAfterFailureAreDistinguished() {
        int fd = opened(kernel().eventfd(1, 0));
        long number = address(memory(Long.BYTES).putLong(0, 1));
        for (int i = 0; i < ROUNDS; i++) {
            assertEquals(Long.BYTES, kernel().write(fd, number, Long.BYTES));
            assertErrno(Errno.EBADF, kernel().close(-1));
            assertEquals(Long.BYTES, kernel().read(fd, number, Long.BYTES));
            assertErrno(Errno.EINVAL, kernel().read(fd, number, 1));
            assertErrno(Errno.EAFNOSUPPORT, kernel().socket(12_345, Sockets.SOCK_STREAM, 0));
        }
    }

    @Test
    void everyThreadHasItsOwnError() throws Exception {
        long memory = address(memory(Long.BYTES));
        List<Failure> failures = List.of(
                new Failure(Errno.EBADF, () -> kernel().close(-1)),
                new Failure(Errno.EAFNOSUPPORT, () -> kernel().socket(12_345, Sockets.SOCK_STREAM, 0)),
                new Failure(Errno.EINVAL, () -> kernel().epollCreate1(-1)),
                new Failure(Errno.ESRCH, () -> kernel().schedGetaffinity(Integer.MAX_VALUE, Long.BYTES, memory)));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Failure failure = failures.get(i % failures.size());
                done.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertErrno(failure.errno, failure.call.getAsInt());
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private record Failure(int errno, IntSupplier call) {}
}
