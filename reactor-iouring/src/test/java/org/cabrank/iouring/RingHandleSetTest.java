package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.DescriptorContract;
import org.cabrank.socket.contract.SetMode;
import org.junit.jupiter.api.Test;

/** Differences between a ring and epoll. {@link RingDescriptorTest} has the contract of all sets. */
class RingHandleSetTest extends DescriptorContract {
    /** More numbers than anybody else in the process takes meanwhile: the lowest that are free are given out first. */
    private static final int NUMBERS = 64;

    static Stream<SetMode> modes() {
        return SetMode.ofAnyKernel(new RingKind.Plain());
    }

    /** epoll forgets such a descriptor and reports nothing; a ring reports an error when it asks for the poll. */
    @Test
    void descriptorThatIsClosedBehindItsBackClosesItsHandleAndNothingElse() throws Exception {
        int[] numbers = new int[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = eventFd();
        }
        CompletableFuture<Throwable> closed = new CompletableFuture<>();
        set.registerBorrowed(numbers[NUMBERS - 1], Ready.READ, new EventHandler() {
            @Override
            public void handleEvent(Handle own, int ready) {
                closed.completeExceptionally(new AssertionError("called with " + Ready.describe(ready)));
            }

            @Override
            public void handleClosed(Handle own, Throwable cause) {
                closed.complete(cause);
            }
        });
        for (int number : numbers) {
            kernel.close(number);
        }
        LeaderFollowersPool pool = serve();
        Await.until("it is closed", closed::isDone);
        KernelException cause = (KernelException) closed.get();
        assertEquals(Errno.EBADF, cause.errno());
        Counting other = new Counting();
        int fd = eventFd();
        set.register(fd, Ready.READ, other);
        signal(fd);
        Await.until("others are served", () -> other.sum.get() == 1);
        assertFalse(pool.isTerminated());
    }
}
