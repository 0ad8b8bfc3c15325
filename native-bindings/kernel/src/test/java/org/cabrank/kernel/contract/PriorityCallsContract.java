package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.SchedulingParameter;
import org.junit.jupiter.api.Test;

/** Nice values and policies of a thread: set, read back, refused. */
public abstract class PriorityCallsContract extends KernelContract {
    /** proc_pid_stat(5): the field after the command's closing bracket is the third. */
    private static final int FIRST_FIELD = 3;

    private static final int NICE_FIELD = 19;
    private static final int POLICY_FIELD = 41;

    private final ByteBuffer parameter = memory(SchedulingParameter.SIZE_BYTES);

    /** A priority is a thread's for good: without privilege nobody takes a higher nice value back. */
    private static <T> T onAThreadOfItsOwn(java.util.concurrent.Callable<T> test) throws Exception {
        FutureTask<T> task = new FutureTask<>(test);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error; // an assertion, or an assumption
            }
            throw failed;
        }
    }

    private int nice(int tid) {
        return Scheduling.niceOf(good(kernel().getpriority(Scheduling.PRIO_PROCESS, tid)));
    }

    private int shownByTheKernel(int field) throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Integer.parseInt(fields[field - FIRST_FIELD]);
    }

    @Test
    void niceValueIsOneThreadsOnly() throws Exception {
        int before = nice(0);
        int raised = Math.min(before + 5, 19);
        onAThreadOfItsOwn(() -> {
            good(kernel().setpriority(Scheduling.PRIO_PROCESS, kernel().gettid(), raised));
            assertEquals(raised, nice(0));
            assertEquals(raised, nice(kernel().gettid()));
            assertEquals(raised, shownByTheKernel(NICE_FIELD));
            return null;
        });
        assertEquals(before, nice(0));
    }

    /** -1 among them, which the C library's getpriority cannot tell from a failure. */
    @Test
    void everyNiceValueIsReadBack() throws Exception {
        onAThreadOfItsOwn(() -> {
            int favoured = kernel().setpriority(Scheduling.PRIO_PROCESS, 0, -20);
            int lowest = favoured == 0 ? -20 : nice(0);
            for (int nice = lowest; nice <= 19; nice++) {
                good(kernel().setpriority(Scheduling.PRIO_PROCESS, 0, nice));
                assertEquals(nice, nice(0));
            }
            good(kernel().setpriority(Scheduling.PRIO_PROCESS, 0, 1_000));
            assertEquals(19, nice(0), "the kernel brings it into its range");
            return null;
        });
    }

    @Test
    void batchThreadIsSeenByTheKernel() throws Exception {
        onAThreadOfItsOwn(() -> {
            assertEquals(Scheduling.SCHED_OTHER, good(kernel().schedGetscheduler(0)));
            good(schedule(Scheduling.SCHED_BATCH, 0));
            assertEquals(Scheduling.SCHED_BATCH, good(kernel().schedGetscheduler(kernel().gettid())));
            assertEquals(Scheduling.SCHED_BATCH, shownByTheKernel(POLICY_FIELD));
            return null;
        });
        assertEquals(Scheduling.SCHED_OTHER, good(kernel().schedGetscheduler(0)));
    }

    @Test
    void realTimePriorityIsReadBack() throws Exception {
        onAThreadOfItsOwn(() -> {
            int result = schedule(Scheduling.SCHED_FIFO | Scheduling.SCHED_RESET_ON_FORK, 7);
            assumeTrue(result != -Errno.EPERM, "this process may not be real-time: CAP_SYS_NICE or RLIMIT_RTPRIO");
            good(result);
            assertEquals(Scheduling.SCHED_FIFO | Scheduling.SCHED_RESET_ON_FORK, good(kernel().schedGetscheduler(0)));
            parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, 0);
            good(kernel().schedGetparam(0, address(parameter)));
            assertEquals(7, parameter.getInt(SchedulingParameter.PRIORITY_OFFSET));
            assertEquals(Scheduling.SCHED_OTHER, onAThreadOfItsOwn(() -> good(kernel().schedGetscheduler(0))));
            good(schedule(Scheduling.SCHED_RR, 1));
            assertEquals(Scheduling.SCHED_RR, onAThreadOfItsOwn(() -> good(kernel().schedGetscheduler(0))));
            return null;
        });
    }

    @Test
    void timerSlackIsOneThreadsOnly() throws Exception {
        int before = good(kernel().prctl(Scheduling.PR_GET_TIMERSLACK, 0));
        onAThreadOfItsOwn(() -> {
            good(kernel().prctl(Scheduling.PR_SET_TIMERSLACK, 1_234));
            assertEquals(1_234, good(kernel().prctl(Scheduling.PR_GET_TIMERSLACK, 0)));
            return null;
        });
        assertEquals(before, good(kernel().prctl(Scheduling.PR_GET_TIMERSLACK, 0)));
    }

    @Test
    void nonsenseIsRefused() {
        assertErrno(Errno.EINVAL, schedule(Scheduling.SCHED_OTHER, 1));
        assertErrno(Errno.EINVAL, schedule(Scheduling.SCHED_FIFO, 0));
        assertErrno(Errno.EINVAL, schedule(4_242, 0));
        assertErrno(Errno.ESRCH, kernel().schedGetscheduler(Integer.MAX_VALUE));
        assertErrno(Errno.ESRCH, kernel().schedGetparam(Integer.MAX_VALUE, address(parameter)));
        assertErrno(Errno.EFAULT, kernel().schedGetparam(0, 1));
        assertErrno(Errno.EINVAL, kernel().getpriority(4_242, 0));
        assertErrno(Errno.ESRCH, kernel().getpriority(Scheduling.PRIO_PROCESS, Integer.MAX_VALUE));
        assertErrno(Errno.ESRCH, kernel().setpriority(Scheduling.PRIO_PROCESS, Integer.MAX_VALUE, 1));
        assertErrno(Errno.EINVAL, kernel().prctl(4_242, 0));
    }

    private int schedule(int policy, int priority) {
        parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, priority);
        return kernel().schedSetscheduler(0, policy, address(parameter));
    }
}
