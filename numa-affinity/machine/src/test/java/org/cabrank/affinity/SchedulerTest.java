package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerTest {
    private Kernel kernel;
    private Scheduler scheduler;

    @BeforeEach
    void chooseAKernel() throws Exception {
        kernel = Kernels.system();
        scheduler = new Scheduler(kernel);
    }

    /** Runs a test on a thread of its own, because a scheduling policy ends with its thread. */
    private static <T> T onAThreadOfItsOwn(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.start();
        return task.get();
    }

    private SchedulingPolicy applied(SchedulingPolicy policy) throws Exception {
        return onAThreadOfItsOwn(() -> {
            scheduler.apply(policy);
            return scheduler.current();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nice:0", "nice:1", "nice:19", "batch", "idle"})
    void policyThatTakesNoPrivilegeIsApplied(String text) throws Exception {
        SchedulingPolicy before = scheduler.current();
        SchedulingPolicy policy = SchedulingPolicy.parse(text);
        assumeTrue(before.level() <= policy.level(), "this process is not nice enough already");
        assertEquals(policy, applied(policy));
        assertEquals(before, scheduler.current(), "other threads have what they had");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nice:-1", "nice:-20", "fifo:1", "fifo:99", "rr:50"})
    void policyThatTakesAPrivilegeIsAppliedOrRefusedWithTheRemedy(String text) throws Exception {
        SchedulingPolicy policy = SchedulingPolicy.parse(text);
        onAThreadOfItsOwn(() -> {
            SchedulingPolicy before = scheduler.current();
            try {
                scheduler.apply(policy);
                assertEquals(policy, scheduler.current());
                assertTrue((kernel.schedGetscheduler(0) & Scheduling.SCHED_RESET_ON_FORK) != 0);
                assertEquals(SchedulingPolicy.nice(0), onAThreadOfItsOwn(scheduler::current), "a thread of its own");
                scheduler.apply(SchedulingPolicy.nice(3));
                assertEquals(SchedulingPolicy.nice(3), scheduler.current());
            } catch (AffinityException refused) {
                assertTrue(refused.getMessage().contains("CAP_SYS_NICE"), refused::getMessage);
                assertEquals(before, scheduler.current());
            }
            return null;
        });
    }

    @Test
    void refusedRealTimePriorityNamesTheLimitAndTheRemedies() throws Exception {
        Scheduler unprivileged = new Scheduler(new ForwardingKernel(kernel) {
            @Override
            public int schedSetscheduler(int tid, int policy, long parameter) {
                boolean realTime = (policy & Scheduling.SCHED_FIFO) != 0;
                return realTime ? -Errno.EPERM : super.schedSetscheduler(tid, policy, parameter);
            }
        });
        AffinityException refused =
                assertThrows(AffinityException.class, () -> unprivileged.apply(SchedulingPolicy.fifo(10)));
        String message = refused.getMessage();
        for (String part : new String[] {
            "fifo:10",
            "EPERM",
            "RLIMIT_RTPRIO",
            "ulimit -r",
            "LimitRTPRIO=",
            "CAP_SYS_NICE",
            "cpu.rt_runtime_us",
            "as before"
        }) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
        assertEquals(Errno.EPERM, ((KernelException) refused.getCause()).errno());
    }

    @Test
    void refusedNiceValuePutsThePolicyBack() throws Exception {
        Scheduler unprivileged = new Scheduler(new ForwardingKernel(kernel) {
            @Override
            public int setpriority(int which, int who, int nice) {
                return nice < 0 ? -Errno.EACCES : super.setpriority(which, who, nice);
            }
        });
        onAThreadOfItsOwn(() -> {
            unprivileged.apply(SchedulingPolicy.parse("batch"));
            AffinityException refused =
                    assertThrows(AffinityException.class, () -> unprivileged.apply(SchedulingPolicy.nice(-5)));
            assertTrue(refused.getMessage().contains("RLIMIT_NICE"), refused::getMessage);
            assertTrue(refused.getMessage().contains("ulimit -e"), refused::getMessage);
            assertEquals(SchedulingPolicy.parse("batch"), unprivileged.current());
            return null;
        });
    }

    @Test
    void kernelThatDoesSomethingElseIsFoundOut() throws Exception {
        Scheduler deaf = new Scheduler(new ForwardingKernel(kernel) {
            @Override
            public int setpriority(int which, int who, int nice) {
                return 0;
            }
        });
        SchedulingPolicy before = scheduler.current();
        SchedulingPolicy wanted = SchedulingPolicy.nice(before.level() == 7 ? 8 : 7);
        AffinityException thrown = assertThrows(AffinityException.class, () -> deaf.apply(wanted));
        assertTrue(thrown.getMessage().contains("was to have " + wanted), thrown::getMessage);
        assertEquals(before, scheduler.current());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nice:-20", "nice:0", "nice:19", "fifo:1", "rr:99", "batch", "idle"})
    void policyIsParsedFromWhatItSays(String text) {
        assertEquals(text, SchedulingPolicy.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nice",
                "nice:",
                "nice:20",
                "nice:-21",
                "nice:1:2",
                "fifo:0",
                "fifo:100",
                "fifo:ten",
                "rr",
                "batch:1",
                "idle:",
                "other",
                "FIFO:1",
                "nice:99999999999"
            })
    void nonsenseIsRefusedWithAMessage(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> SchedulingPolicy.parse(text));
        assertTrue(refused.getMessage().length() > 20, refused::getMessage);
    }
}
