package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.DescriptorContract;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.SetMode;
import org.junit.jupiter.api.Test;

/** Waiting of an epoll set, and its wake-up. {@link EpollDescriptorTest} has the contract of all sets. */
class EpollHandleSetTest extends DescriptorContract {
    static Stream<SetMode> modes() {
        return SetMode.ofAnyKernel(new EpollKind());
    }

    @Test
    void interruptedAndSpuriousWaitsAreRepeated() throws Exception {
        kernel.plan("epoll_wait", Plan.first(-Errno.EINTR, 0, -Errno.EINTR, 0, -Errno.EINTR));
        Counting counting = new Counting();
        int fd = eventFd();
        set.register(fd, Ready.READ, counting);
        serve();
        signal(fd);
        Await.until("it was counted", () -> counting.sum.get() == 1);
        Await.until("the waits were repeated", () -> kernel.calls("epoll_wait") > 5);
        assertEquals(1, counting.calls.get());
    }

    @Test
    void brokenSetEndsItsPoolWithTheReason() throws Exception {
        int fd = eventFd();
        set.register(fd, Ready.READ, new Counting());
        LeaderFollowersPool pool = serve();
        kernel.plan("epoll_wait", call -> -Errno.EINVAL);
        signal(fd);
        Await.until("the pool has stopped", pool::isTerminated);
        assertTrue(pool.failure() instanceof KernelException failed && failed.errno() == Errno.EINVAL);
    }

    /** However many threads post, the leader is woken once until it has looked. */
    @Test
    void wakeupsThatComeTogetherCostOneWrite() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger posted = new AtomicInteger();
        int fd = eventFd();
        Handle handle = set.register(fd, Ready.READ, (own, ready) -> {
            if ((ready & Ready.POSTED) != 0) {
                posted.incrementAndGet();
            } else {
                entered.countDown();
                leave.await();
            }
        });
        serve();
        signal(fd);
        entered.await();
        kernel.plan("write", call -> Plan.ASK);
        for (int i = 0; i < 1_000; i++) {
            handle.post(Ready.POSTED);
        }
        assertTrue(kernel.calls("write") <= 1, "writes: " + kernel.calls("write"));
        leave.countDown();
        Await.until("the posts were merged into a call", () -> posted.get() == 1);
    }
}
