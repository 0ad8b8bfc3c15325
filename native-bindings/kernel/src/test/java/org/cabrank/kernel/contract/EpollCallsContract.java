package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.EpollParams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** epoll reports the watched events with the data that was registered, as often as the trigger mode requires. */
public abstract class EpollCallsContract extends KernelContract {
    private static final int EVENTS_MAX = 8;
    private static final long DATA = 0xfedc_ba98_7654_3210L;

    private final ByteBuffer events = memory(EVENTS_MAX * EpollEvent.SIZE_BYTES);
    private int epoll;

    @BeforeEach
    void openEpoll() {
        epoll = opened(kernel().epollCreate1(Epoll.EPOLL_CLOEXEC));
    }

    @Test
    void levelTriggeredEventIsReportedUntilItIsRead() {
        int fd = watched(Epoll.EPOLLIN, DATA);
        assertEquals(0, poll());
        signal(fd);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, poll());
            assertEvent(0, Epoll.EPOLLIN, DATA);
        }
        drain(fd);
        assertEquals(0, poll());
    }

    @Test
    void edgeTriggeredEventIsReportedOncePerArrival() {
        int fd = watched(Epoll.EPOLLIN | Epoll.EPOLLET, DATA);
        for (int i = 0; i < 3; i++) {
            signal(fd);
            assertEquals(1, poll());
            assertEvent(0, Epoll.EPOLLIN, DATA);
            assertEquals(0, poll());
        }
    }

    @Test
    void oneshotIsSilentUntilItIsArmedAgain() {
        int fd = watched(Epoll.EPOLLIN | Epoll.EPOLLONESHOT, DATA);
        signal(fd);
        assertEquals(1, poll());
        signal(fd);
        assertEquals(0, poll());
        good(control(epoll, Epoll.EPOLL_CTL_MOD, fd, Epoll.EPOLLIN | Epoll.EPOLLONESHOT, ~DATA));
        assertEquals(1, poll());
        assertEvent(0, Epoll.EPOLLIN, ~DATA);
    }

    @Test
    void exclusiveWatchesAreAddedButNotModified() {
        int fd = opened(kernel().eventfd(0, 0));
        int other = opened(kernel().epollCreate1(0));
        int interest = Epoll.EPOLLIN | Epoll.EPOLLEXCLUSIVE;
        good(control(epoll, Epoll.EPOLL_CTL_ADD, fd, interest, DATA));
        good(control(other, Epoll.EPOLL_CTL_ADD, fd, interest, DATA));
        signal(fd);
        assertEquals(1, poll());
        assertErrno(Errno.EINVAL, control(epoll, Epoll.EPOLL_CTL_MOD, fd, interest, DATA));
        assertErrno(Errno.EINVAL, control(epoll, Epoll.EPOLL_CTL_MOD, fd, Epoll.EPOLLIN, DATA));
    }

    @Test
    void everyEventOfAnArrayStandsInItsPlace() {
        for (int i = 0; i < EVENTS_MAX; i++) {
            signal(watched(Epoll.EPOLLIN | Epoll.EPOLLOUT, DATA + i));
        }
        assertEquals(EVENTS_MAX, poll());
        long sum = 0;
        for (int i = 0; i < EVENTS_MAX; i++) {
            assertEquals(Epoll.EPOLLIN | Epoll.EPOLLOUT, events.getInt(i * EpollEvent.SIZE_BYTES));
            sum += data(i) - DATA;
        }
        assertEquals(EVENTS_MAX * (EVENTS_MAX - 1) / 2, sum);
    }

    @Test
    void noMoreEventsAreReturnedThanThereIsRoomFor() {
        for (int i = 0; i < EVENTS_MAX; i++) {
            signal(watched(Epoll.EPOLLIN, DATA));
        }
        assertEquals(3, kernel().epollPoll(epoll, address(events), 3));
        assertEquals(2, kernel().epollWait(epoll, address(events), 2, -1));
    }

    @Test
    void waitingEndsWhenAnotherThreadSignals() throws Exception {
        int fd = watched(Epoll.EPOLLIN, DATA);
        CompletableFuture<Integer> told = CompletableFuture.supplyAsync(
                () -> kernel().epollWait(epoll, address(events), EVENTS_MAX, PATIENCE_MS));
        signal(fd);
        assertEquals(1, told.get(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEvent(0, Epoll.EPOLLIN, DATA);
    }

    @Test
    void waitingEndsWhenTheTimeIsOver() {
        long start = System.nanoTime();
        assertEquals(0, kernel().epollWait(epoll, address(events), EVENTS_MAX, 20));
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertEquals(20, Math.min(waitedMs, 20), "waited for less than was asked");
    }

    @Test
    void timeIsReturnedInNanosecondsToo() {
        long start = System.nanoTime();
        assertEquals(0, exactWait(0, 20_000_001));
        long waitedNs = System.nanoTime() - start;
        assertEquals(20_000_001, Math.min(waitedNs, 20_000_001), "waited for less than was asked");
        assertEquals(0, exactWait(0, 0));
        int fd = watched(Epoll.EPOLLIN, DATA);
        signal(fd);
        assertEquals(1, exactWait(PATIENCE_MS / 1_000, 999_999_999));
        assertEvent(0, Epoll.EPOLLIN, DATA);
        assertEquals(1, kernel().epollPwait2(epoll, address(events), 1, 0));
        assertErrno(Errno.EINVAL, exactWait(0, 1_000_000_000));
        assertErrno(Errno.EINVAL, exactWait(-1, 0));
        assertErrno(Errno.EBADF, kernel().epollPwait2(-1, address(events), 1, 0));
        assertErrno(Errno.EINVAL, kernel().epollPwait2(epoll, address(events), 0, 0));
    }

    /** Skipped where the kernel is from before 5.11, or this container does not let it be called. */
    private int exactWait(long sec, long nsec) {
        ByteBuffer timeout =
                memory(TimeSpec.SIZE_BYTES).putLong(TimeSpec.SEC_OFFSET, sec).putLong(TimeSpec.NSEC_OFFSET, nsec);
        int result = kernel().epollPwait2(epoll, address(events), EVENTS_MAX, address(timeout));
        assumeTrue(result != -Errno.ENOSYS && result != -Errno.EPERM, "epoll_pwait2 is not to be had");
        return result;
    }

    @Test
    void parametersOfBusyPollingAreSetAndRead() {
        ByteBuffer params = memory(EpollParams.SIZE_BYTES)
                .putInt(EpollParams.BUSY_POLL_USECS_OFFSET, 123)
                .putShort(EpollParams.BUSY_POLL_BUDGET_OFFSET, (short) 45)
                .put(EpollParams.PREFER_BUSY_POLL_OFFSET, (byte) 1);
        int set = kernel().ioctl(epoll, Epoll.EPIOCSPARAMS, address(params));
        assumeTrue(set != -Errno.ENOTTY && set != -Errno.EOPNOTSUPP, "epoll has no busy polling here");
        good(set);
        ByteBuffer read = memory(EpollParams.SIZE_BYTES);
        good(kernel().ioctl(epoll, Epoll.EPIOCGPARAMS, address(read)));
        assertEquals(params, read);
        params.put(EpollParams.SIZE_BYTES - 1, (byte) 1);
        assertErrno(Errno.EINVAL, kernel().ioctl(epoll, Epoll.EPIOCSPARAMS, address(params)));
        assertErrno(Errno.EFAULT, kernel().ioctl(epoll, Epoll.EPIOCSPARAMS, 1));
        assertErrno(Errno.EBADF, kernel().ioctl(-1, Epoll.EPIOCGPARAMS, address(read)));
        assertErrno(Errno.ENOTTY, kernel().ioctl(opened(kernel().eventfd(0, 0)), Epoll.EPIOCGPARAMS, address(read)));
    }

    @Test
    void deletedIsNotToldAnyMore() {
        int fd = watched(Epoll.EPOLLIN, DATA);
        signal(fd);
        good(kernel().epollCtl(epoll, Epoll.EPOLL_CTL_DEL, fd, 0));
        assertEquals(0, poll());
    }

    @Test
    void mistakesHaveTheirErrors() {
        int fd = watched(Epoll.EPOLLIN, DATA);
        assertErrno(Errno.EEXIST, control(epoll, Epoll.EPOLL_CTL_ADD, fd, Epoll.EPOLLIN, DATA));
        assertErrno(Errno.ENOENT, control(epoll, Epoll.EPOLL_CTL_MOD, opened(kernel().eventfd(0, 0)), 0, DATA));
        assertErrno(Errno.EBADF, control(epoll, Epoll.EPOLL_CTL_ADD, -1, Epoll.EPOLLIN, DATA));
        assertErrno(Errno.EBADF, control(-1, Epoll.EPOLL_CTL_ADD, fd, Epoll.EPOLLIN, DATA));
        assertErrno(Errno.EINVAL, control(epoll, Epoll.EPOLL_CTL_ADD, epoll, Epoll.EPOLLIN, DATA));
        assertErrno(Errno.EFAULT, kernel().epollCtl(epoll, Epoll.EPOLL_CTL_MOD, fd, 0));
        assertErrno(Errno.EINVAL, kernel().epollWait(epoll, address(events), 0, 0));
        assertErrno(Errno.EINVAL, kernel().epollPoll(epoll, address(events), 0));
        assertErrno(Errno.EBADF, kernel().epollPoll(-1, address(events), 1));
        assertErrno(Errno.EINVAL, kernel().epollCreate1(-1));
    }

    private int watched(int interest, long data) {
        int fd = opened(kernel().eventfd(0, 0));
        good(control(epoll, Epoll.EPOLL_CTL_ADD, fd, interest, data));
        return fd;
    }

    private int control(int epollFd, int operation, int fd, int interest, long data) {
        ByteBuffer event = memory(EpollEvent.SIZE_BYTES);
        event.putInt(EpollEvent.EVENTS_OFFSET, interest).putLong(EpollEvent.DATA_OFFSET, data);
        return kernel().epollCtl(epollFd, operation, fd, address(event));
    }

    private int poll() {
        return kernel().epollPoll(epoll, address(events), EVENTS_MAX);
    }

    private void signal(int fd) {
        assertEquals(Long.BYTES, kernel().write(fd, address(memory(Long.BYTES).putLong(0, 1)), Long.BYTES));
    }

    private void drain(int fd) {
        assertEquals(Long.BYTES, kernel().read(fd, address(memory(Long.BYTES)), Long.BYTES));
    }

    private void assertEvent(int index, int interest, long data) {
        assertEquals(interest, events.getInt(index * EpollEvent.SIZE_BYTES + EpollEvent.EVENTS_OFFSET));
        assertEquals(data, data(index));
    }

    private long data(int index) {
        return events.getLong(index * EpollEvent.SIZE_BYTES + EpollEvent.DATA_OFFSET);
    }
}
