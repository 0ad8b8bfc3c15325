package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/** A kernel that answers what a test wants before it asks the real one, and knows which descriptors are open. */
public final class ScriptedKernel extends ForwardingKernel {
    private final ConcurrentMap<String, Queue<Integer>> answers = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Integer> lastAnswers = new ConcurrentHashMap<>();
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();
    private final Set<Integer> closedWrongly = ConcurrentHashMap.newKeySet();

    /**
     * Script for the next read of one descriptor: maps the buffer's address to the result of the read; null: the kernel
     * reads.
     */
    private volatile ReadScript readScript;

    /** Counts down to the address that is refused; negative: none is. */
    private final AtomicInteger addressesUntilNoMemory = new AtomicInteger(-1);

    private record ReadScript(int fd, java.util.function.LongToIntFunction read) {}

    ScriptedKernel(Kernel next) {
        super(next);
    }

    /** The next calls of this name are answered so, one after the other. */
    void answer(String call, int... results) {
        Queue<Integer> queue = answers.computeIfAbsent(call, name -> new ConcurrentLinkedQueue<>());
        for (int result : results) {
            queue.add(result);
        }
    }

    /** The result of the latest call of this name, from the script or the kernel. */
    int lastAnswer(String call) {
        return lastAnswers.get(call);
    }

    /** All that was scripted has been asked for. */
    boolean answeredAll() {
        return answers.values().stream().allMatch(Queue::isEmpty);
    }

    /** The next read of the descriptor brings this. */
    void nextRead(int fd, java.util.function.LongToIntFunction read) {
        readScript = new ReadScript(fd, read);
    }

    /** Fails one call of {@link #addressOf} for lack of memory, after this number of calls that succeed. */
    void noMemoryAfter(int addresses) {
        addressesUntilNoMemory.set(addresses);
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        if (addressesUntilNoMemory.getAndDecrement() == 0) {
            throw new OutOfMemoryError("on purpose");
        }
        return next().addressOf(direct);
    }

    /** The descriptors that were given out and not closed. */
    Set<Integer> open() {
        return open;
    }

    /** The descriptors that were closed though they were not open. */
    Set<Integer> closedWrongly() {
        return closedWrongly;
    }

    private int asked(String call, IntSupplier next) {
        Queue<Integer> queue = answers.get(call);
        Integer scripted = queue == null ? null : queue.poll();
        int answer = scripted != null ? scripted : next.getAsInt();
        lastAnswers.put(call, answer);
        return answer;
    }

    private int given(int fd) {
        if (fd >= 0) {
            open.add(fd);
        }
        return fd;
    }

    @Override
    public int close(int fd) {
        if (!open.remove(fd)) {
            closedWrongly.add(fd);
        }
        return next().close(fd);
    }

    @Override
    public int epollCreate1(int flags) {
        return given(next().epollCreate1(flags));
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        return given(next().ioUringSetup(entries, params));
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return given(next().eventfd(initialValue, flags));
    }

    @Override
    public int timerfdCreate(int clockId, int flags) {
        return asked("timerfd_create", () -> given(next().timerfdCreate(clockId, flags)));
    }

    @Override
    public int signalfd(int fd, long mask, int flags) {
        return asked("signalfd", () -> given(next().signalfd(fd, mask, flags)));
    }

    @Override
    public int open(long path, int flags, int mode) {
        return asked("open", () -> given(next().open(path, flags, mode)));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        IntUnaryOperator descriptor =
                index -> next().viewOf(descriptors, 2 * Integer.BYTES).getInt(index * Integer.BYTES);
        return asked("pipe2", () -> {
            int result = next().pipe2(descriptors, flags);
            if (result == 0) {
                given(descriptor.applyAsInt(0));
                given(descriptor.applyAsInt(1));
            }
            return result;
        });
    }

    @Override
    public int read(int fd, long buffer, int count) {
        ReadScript script = readScript;
        if (script != null && script.fd == fd) {
            readScript = null;
            return script.read.applyAsInt(buffer);
        }
        return asked("read", () -> next().read(fd, buffer, count));
    }

    @Override
    public int write(int fd, long buffer, int count) {
        return asked("write to fd " + fd, () -> next().write(fd, buffer, count));
    }

    @Override
    public int inotifyInit1(int flags) {
        return asked("inotify_init1", () -> given(next().inotifyInit1(flags)));
    }

    @Override
    public int inotifyAddWatch(int fd, long path, int mask) {
        return asked("inotify_add_watch", () -> next().inotifyAddWatch(fd, path, mask));
    }

    @Override
    public int inotifyRmWatch(int fd, int watch) {
        return asked("inotify_rm_watch", () -> next().inotifyRmWatch(fd, watch));
    }

    @Override
    public int mqOpen(long name, int flags, int mode, long attributes) {
        return asked("mq_open", () -> given(next().mqOpen(name, flags, mode, attributes)));
    }

    @Override
    public int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return asked("mq_send", () -> next().mqTimedsend(fd, message, length, priority, timeout));
    }

    @Override
    public int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return asked("mq_receive", () -> next().mqTimedreceive(fd, buffer, room, priorityAddress, timeout));
    }

    @Override
    public int mqGetsetattr(int fd, long changed, long present) {
        return asked("mq_getattr", () -> next().mqGetsetattr(fd, changed, present));
    }
}
