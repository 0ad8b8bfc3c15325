package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ownership of descriptors: refused, taken over, borrowed, closed. */
public abstract class RegistrationContract extends DescriptorContract {
    private static final int THREADS = 3;
    private static final int ROUNDS = 30;
    private static final int HANDLES = 200;

    private void refused(int errno, int fd, String reason) {
        KernelException refused =
                assertThrows(KernelException.class, () -> set.register(fd, Ready.READ, (handle, ready) -> {}));
        assertEquals(errno, refused.errno());
        assertTrue(
                refused.getMessage().startsWith("fd " + fd + " (READ) cannot be registered, " + reason),
                refused::getMessage);
    }

    @Test
    void interestInWhatCannotBeWaitedForIsRefused() throws Exception {
        int fd = eventFd();
        assertThrows(
                IllegalArgumentException.class,
                () -> set.register(fd, Ready.READ | Ready.TIMER, (handle, ready) -> {}));
        assertThrows(IllegalArgumentException.class, () -> set.registerBorrowed(fd, -1, (handle, ready) -> {}));
        assertEquals(0, set.handleCount());
        kernel.close(fd);
    }

    @Test
    void closedDescriptorIsRefused() throws Exception {
        int fd = closedDescriptor();
        refused(Errno.EBADF, fd, "it is not open");
        assertEquals(0, set.handleCount());
    }

    @Test
    void descriptorIsRefusedTheSecondTime() throws Exception {
        int fd = eventFd();
        Counting counting = new Counting();
        set.register(fd, Ready.READ, counting);
        refused(Errno.EEXIST, fd, "it is registered in this set already");
        assertEquals(1, set.handleCount());
        serve();
        signal(fd);
        Await.until("the first registration still stands", () -> counting.sum.get() == 1);
    }

    /** The JDK tells no descriptor, so a file's is found by what it points to. */
    @Test
    void regularFileIsRefused(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("file");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.write(1);
            refused(Errno.EPERM, OpenDescriptors.of(file), "a regular file");
        }
        assertEquals(0, set.handleCount());
    }

    @Test
    void closedSetRefusesHandlesAndWakeups() throws Exception {
        int fd = eventFd();
        set.close();
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> set.register(fd, Ready.READ, (handle, ready) -> {}));
        assertTrue(refused.getMessage().contains("fd " + fd), refused::getMessage);
        assertThrows(IllegalStateException.class, () -> set.registerVirtual("virtual", (handle, ready) -> {}));
        set.wakeup();
        kernel.close(fd);
    }

    /** Otherwise the set and the caller close the descriptor both, and the second of them closes a stranger's. */
    @Test
    void setThatIsClosedMeanwhileOwnsADescriptorOrRefusesIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            DescriptorSet closing = mode.open(kernel);
            CountDownLatch begun = new CountDownLatch(THREADS);
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            List<Thread> threads = Stream.generate(() -> new Thread(() -> registerSome(closing, begun, wrong)))
                    .limit(THREADS)
                    .toList();
            threads.forEach(Thread::start);
            begun.await();
            closing.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(List.of(), List.copyOf(wrong));
            assertEquals(0, closing.failures().count());
        }
    }

    private void registerSome(DescriptorSet closing, CountDownLatch begun, Queue<Throwable> wrong) {
        boolean refused = false;
        for (int i = 0; i < HANDLES && !refused; i++, begun.countDown()) {
            int fd = -1;
            try {
                fd = eventFd();
                closing.register(fd, Ready.READ, (handle, ready) -> {});
            } catch (Throwable refusal) {
                refused = true;
                kernel.close(fd);
                if (!(refusal instanceof IllegalStateException)) {
                    wrong.add(refusal);
                }
            }
        }
    }

    @Test
    void ownedDescriptorIsClosedWithItsHandle() throws Exception {
        Counting counting = new Counting();
        int fd = eventFd();
        Handle handle = set.register(fd, Ready.READ, counting);
        serve();
        handle.close();
        handle.close();
        Await.until("it is closed", () -> counting.closed.get() == 1);
        Await.until(
                "the descriptor too", () -> kernel.write(fd, kernel.addressOf(eight()), Long.BYTES) == -Errno.EBADF);
    }

    @Test
    void borrowedDescriptorIsLeftOpen() throws Exception {
        Counting counting = new Counting();
        int fd = eventFd();
        Handle handle = set.registerBorrowed(fd, Ready.READ, counting);
        serve();
        signal(fd);
        Await.until("it was counted", () -> counting.sum.get() == 1);
        handle.close();
        Await.until("it is closed", () -> counting.closed.get() == 1);
        signal(fd);
        assertEquals(Long.BYTES, kernel.read(fd, kernel.addressOf(eight()), Long.BYTES));
        assertEquals(1, counting.calls.get(), "nothing is watched any more");
        kernel.close(fd);
    }

    @Test
    void handlerThatThrowsLosesItsHandle() throws Exception {
        IOException mistake = new IOException("a mistake");
        Throwable[] cause = {null};
        CountDownLatch closed = new CountDownLatch(1);
        int fd = eventFd();
        set.register(fd, Ready.READ, new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws IOException {
                throw mistake;
            }

            @Override
            public void handleClosed(Handle handle, Throwable why) {
                cause[0] = why;
                closed.countDown();
            }
        });
        serve();
        signal(fd);
        closed.await();
        assertEquals(mistake, cause[0]);
    }
}
