package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.TimerSpec;
import org.cabrank.kernel.layout.SignalInfo;
import org.cabrank.kernel.layout.SignalSet;
import org.junit.jupiter.api.Test;

/** eventfd, timerfd, signalfd, kill. */
public abstract class EventCallsContract extends KernelContract {
    private static final long MILLISECOND_NS = 1_000_000;
    private static final char STOPPED = 'T';

    private final ByteBuffer number = memory(Long.BYTES);

    @Test
    void eventfdAddsUp() {
        int fd = opened(kernel().eventfd(3, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        number.putLong(0, 4);
        assertEquals(Long.BYTES, kernel().write(fd, address(number), Long.BYTES));
        assertEquals(7, read(fd));
        assertErrno(Errno.EAGAIN, kernel().read(fd, address(number), Long.BYTES));
    }

    @Test
    void eventfdAsSemaphoreCountsDown() {
        int fd = opened(kernel().eventfd(2, Events.EFD_NONBLOCK | Events.EFD_SEMAPHORE));
        assertEquals(1, read(fd));
        assertEquals(1, read(fd));
        assertErrno(Errno.EAGAIN, kernel().read(fd, address(number), Long.BYTES));
    }

    @Test
    void eventfdRefusesWhatItCannotRead() {
        int fd = opened(kernel().eventfd(0, 0));
        assertErrno(Errno.EINVAL, kernel().read(fd, address(number), 4));
        assertErrno(Errno.EINVAL, kernel().eventfd(0, -1));
    }

    @Test
    void timerFiresOnce() {
        int fd = opened(kernel().timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_CLOEXEC));
        good(kernel().timerfdSettime(fd, 0, address(timer(0, MILLISECOND_NS)), 0));
        assertEquals(1, read(fd));
        ByteBuffer left = timer(9, 9);
        good(kernel().timerfdSettime(fd, 0, address(timer(0, 0)), address(left)));
        assertEquals(0, left.getLong(TimerSpec.VALUE_SEC_OFFSET));
        assertEquals(0, left.getLong(TimerSpec.VALUE_NSEC_OFFSET));
    }

    @Test
    void timerFiresAgainAndAgain() {
        int fd = opened(kernel().timerfdCreate(Events.CLOCK_MONOTONIC, 0));
        good(kernel().timerfdSettime(fd, 0, address(timer(MILLISECOND_NS, 1)), 0));
        for (int i = 0; i < 3; i++) {
            assertTrue(read(fd) >= 1);
        }
        ByteBuffer old = timer(0, 0);
        good(kernel().timerfdSettime(fd, 0, address(timer(0, 0)), address(old)));
        assertEquals(MILLISECOND_NS, old.getLong(TimerSpec.INTERVAL_NSEC_OFFSET));
        assertEquals(0, old.getLong(TimerSpec.INTERVAL_SEC_OFFSET));
    }

    @Test
    void timerTakesATimeOfTheClock() {
        int fd = opened(kernel().timerfdCreate(Events.CLOCK_MONOTONIC, 0));
        // Long past: fires at once.
        good(kernel().timerfdSettime(fd, Events.TFD_TIMER_ABSTIME, address(timer(0, 1)), 0));
        assertEquals(1, read(fd));
    }

    @Test
    void timerRefusesNonsense() {
        int fd = opened(kernel().timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_NONBLOCK));
        assertErrno(Errno.EAGAIN, kernel().read(fd, address(number), Long.BYTES));
        assertErrno(Errno.EINVAL, kernel().timerfdSettime(fd, 0, address(timer(0, -1)), 0));
        assertErrno(Errno.EFAULT, kernel().timerfdSettime(fd, 0, 1, 0));
        assertErrno(Errno.EINVAL, kernel().timerfdCreate(12_345, 0));
        assertErrno(Errno.EBADF, kernel().timerfdSettime(-1, 0, address(timer(0, 1)), 0));
    }

    @Test
    void blockedSignalIsReadFromItsDescriptor() {
        ByteBuffer mask = memory(SignalSet.SIZE_BYTES);
        SignalSet.add(mask, Events.SIGPIPE);
        ByteBuffer before = memory(SignalSet.SIZE_BYTES);
        ByteBuffer info = memory(SignalInfo.SIZE_BYTES);
        good(kernel().pthreadSigmask(Events.SIG_BLOCK, address(mask), address(before)));
        try {
            assertTrue(SignalSet.contains(threadMask(), Events.SIGPIPE));
            int fd = opened(kernel().signalfd(-1, address(mask), Events.SFD_NONBLOCK | Events.SFD_CLOEXEC));
            assertErrno(Errno.EAGAIN, kernel().read(fd, address(info), SignalInfo.SIZE_BYTES));

            // The one signal that the kernel sends to the very thread that makes a call: no other thread sees it.
            breakPipe();

            assertEquals(SignalInfo.SIZE_BYTES, kernel().read(fd, address(info), SignalInfo.SIZE_BYTES));
            assertEquals(Events.SIGPIPE, info.getInt(SignalInfo.SIGNO_OFFSET));
            assertEquals(ProcessHandle.current().pid(), info.getInt(SignalInfo.PID_OFFSET));
            assertErrno(Errno.EAGAIN, kernel().read(fd, address(info), SignalInfo.SIZE_BYTES));
        } finally {
            good(kernel().pthreadSigmask(Events.SIG_SETMASK, address(before), 0));
        }
        assertFalse(SignalSet.contains(threadMask(), Events.SIGPIPE));
    }

    @Test
    void signalCallsRefuseNonsense() {
        ByteBuffer mask = memory(SignalSet.SIZE_BYTES);
        assertErrno(Errno.EINVAL, kernel().pthreadSigmask(99, address(mask), 0));
        assertErrno(Errno.EINVAL, kernel().signalfd(-1, address(mask), -1));
        assertErrno(Errno.EBADF, kernel().signalfd(Integer.MAX_VALUE, address(mask), 0));
    }

    @Test
    void aProcessIsStoppedAndGoesOn() throws Exception {
        Process child = new ProcessBuilder("cat").start();
        try {
            int pid = Math.toIntExact(child.pid());
            good(kernel().kill(pid, 0));
            good(kernel().kill(pid, Events.SIGSTOP));
            while (state(pid) != STOPPED) {
                Thread.onSpinWait();
            }
            good(kernel().kill(pid, Events.SIGCONT));
            try (BufferedWriter in = child.outputWriter();
                    BufferedReader out = child.inputReader()) {
                in.write("going on\n");
                in.flush();
                assertEquals("going on", out.readLine());
            }
            child.waitFor();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void signalsToUnknownProcessesAndUnknownSignalsAreRefused() {
        assertErrno(Errno.ESRCH, kernel().kill(Integer.MAX_VALUE, 0));
        assertErrno(
                Errno.EINVAL,
                kernel().kill(Math.toIntExact(ProcessHandle.current().pid()), SignalSet.MAX_SIGNAL + 1));
    }

    /** proc_pid_stat(5): the third field, behind the command's bracket. */
    private static char state(int pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }

    private ByteBuffer threadMask() {
        ByteBuffer mask = memory(SignalSet.SIZE_BYTES);
        good(kernel().pthreadSigmask(Events.SIG_BLOCK, 0, address(mask)));
        return mask;
    }

    private void breakPipe() {
        int listening = listening(new AbstractUnixAddress(
                "cabrank-pipe-" + ProcessHandle.current().pid()));
        int client = connectedTo(listening);
        close(listening);
        assertErrno(Errno.EPIPE, kernel().write(client, address(number), 1));
    }

    private long read(int fd) {
        assertEquals(Long.BYTES, kernel().read(fd, address(number), Long.BYTES));
        return number.getLong(0);
    }

    private static ByteBuffer timer(long intervalNs, long valueNs) {
        return memory(TimerSpec.SIZE_BYTES)
                .putLong(TimerSpec.INTERVAL_NSEC_OFFSET, intervalNs)
                .putLong(TimerSpec.VALUE_NSEC_OFFSET, valueNs);
    }
}
