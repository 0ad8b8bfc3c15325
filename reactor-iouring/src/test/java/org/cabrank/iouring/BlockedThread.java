package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;

/** A thread that does something first, and then blocks in a system call until {@link #end}. */
final class BlockedThread implements AutoCloseable {
    /** A system call that blocks. */
    interface Call {
        int make(BlockedThread self) throws Exception;
    }

    private static final boolean AARCH64 = System.getProperty("os.arch").equals("aarch64");

    private final Kernel kernel;
    private final ByteBuffer memory = direct(EpollEvent.SIZE_BYTES);
    private final ByteBuffer one = direct(Long.BYTES).putLong(0, 1);
    private final CompletableFuture<Integer> tid = new CompletableFuture<>();
    private final CompletableFuture<Integer> result = new CompletableFuture<>();
    private final int eventfd;
    private final int epoll;
    private TestThread thread;

    private BlockedThread(Kernel kernel) throws IOException {
        this.kernel = kernel;
        eventfd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC));
        epoll = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        memory.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLIN);
        Errno.check("epoll_ctl", kernel.epollCtl(epoll, Epoll.EPOLL_CTL_ADD, eventfd, kernel.addressOf(memory)));
    }

    static BlockedThread start(Kernel kernel, TestThread.Body first, Call call) throws IOException {
        BlockedThread blocked = new BlockedThread(kernel);
        blocked.thread = TestThread.start("blocked", () -> {
            first.run();
            blocked.tid.complete(kernel.gettid());
            blocked.result.complete(call.make(blocked));
        });
        return blocked;
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** epoll_wait(2), which is never restarted: 1 at the end, or {@code -errno}. */
    int epollWait() {
        return kernel.epollWait(epoll, kernel.addressOf(memory), 1, -1);
    }

    /** read(2) of an eventfd, which the kernel restarts: 8 at the end, or {@code -errno}. */
    int read() {
        return kernel.read(eventfd, kernel.addressOf(memory), Long.BYTES);
    }

    void awaitBlockedInEpollWait() throws Exception {
        awaitBlockedIn(AARCH64 ? "22" : "232");
    }

    void awaitBlockedInRead() throws Exception {
        awaitBlockedIn(AARCH64 ? "63" : "0");
    }

    /** proc_pid_syscall(5): the number of the system call in which the thread sleeps, and its arguments; or "running". */
    private void awaitBlockedIn(String number) throws Exception {
        Await.until("the thread has begun", () -> tid.isDone() || !thread.isAlive());
        thread.check();
        Path call = Path.of("/proc/self/task/" + tid.get() + "/syscall");
        Await.until("the thread sleeps in system call " + number, () -> {
            try {
                return Files.readString(call).startsWith(number + " ");
            } catch (IOException gone) {
                return false;
            }
        });
    }

    /** Ends the call if it is still under way. */
    void end() {
        kernel.write(eventfd, kernel.addressOf(one), Long.BYTES);
    }

    /** Waits for the outcome of the call. */
    int result() throws Exception {
        thread.join();
        return result.get();
    }

    @Override
    public void close() {
        end();
        Await.until("the thread has ended", () -> !thread.isAlive());
        kernel.close(epoll);
        kernel.close(eventfd);
    }
}
