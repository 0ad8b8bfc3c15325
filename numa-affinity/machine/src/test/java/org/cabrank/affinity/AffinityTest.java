package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.fixture.SimulatedCpus;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AffinityTest {
    private Kernel kernel;
    private Affinity affinity;
    private CpuList before;

    @BeforeEach
    void rememberWhereThisThreadMayRun() throws KernelUnavailableException, AffinityException {
        kernel = Kernels.system();
        affinity = new Affinity(kernel);
        before = affinity.current();
    }

    @AfterEach
    void letThisThreadRunThereAgain() throws AffinityException {
        affinity.pin(before);
    }

    @Test
    void pinnedThreadRunsOnItsCpu() throws AffinityException {
        for (int cpu : before.cpus().toArray()) {
            affinity.pin(CpuList.of(cpu));
            assertEquals(CpuList.of(cpu), affinity.current());
        }
    }

    @Test
    void otherThreadsStayWhereTheyAre() throws Exception {
        List<CpuList> seen = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                affinity.pin(CpuList.of(before.cpus().findFirst().orElseThrow()));
                seen.add(affinity.current());
            } catch (AffinityException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        other.join();
        assertEquals(1, seen.get(0).size());
        assertEquals(before, affinity.current());
    }

    @Test
    void cpuThatIsNotThereIsRefusedWithAMessage() throws AffinityException {
        AffinityException thrown =
                assertThrows(AffinityException.class, () -> affinity.pin(CpuList.of(CpuList.CPUS_MAX - 1)));
        assertEquals(
                "cannot pin this thread to CPU 8191: none of these CPUs is there and allowed for this process;"
                        + " it may run on " + before,
                thrown.getMessage());
        assertEquals(Errno.EINVAL, ((KernelException) thrown.getCause()).errno());
        assertEquals(before, affinity.current());
    }

    @Test
    void cpuThatIsSilentlyDroppedIsFoundOutAndTheThreadPutBack() throws AffinityException {
        int first = before.cpus().findFirst().orElseThrow();
        AffinityException thrown =
                assertThrows(AffinityException.class, () -> affinity.pin(CpuList.of(first, CpuList.CPUS_MAX - 1)));
        assertEquals(
                "cannot pin this thread to CPU " + first + ",8191: the kernel lets it run on " + first
                        + " instead; 8191 is missing, offline or outside this process's cpuset; it may run on "
                        + before + " as before",
                thrown.getMessage());
        assertEquals(before, affinity.current());
    }

    @Test
    void emptyListIsAMistake() {
        assertThrows(IllegalArgumentException.class, () -> affinity.pin(CpuList.of()));
    }

    @Test
    void threadIsPinnedBeyondTheFirst1024Cpus() throws AffinityException {
        CpuList many = CpuList.parse("0-1791");
        SimulatedCpus cpus = new SimulatedCpus(kernel, many.size() / Byte.SIZE, many);
        Affinity wide = new Affinity(cpus);
        assertEquals(many, wide.current());
        for (String list : new String[] {"1024", "1023-1025", "64,1791"}) {
            wide.pin(CpuList.parse(list));
            assertEquals(CpuList.parse(list), wide.current());
            assertEquals(CpuList.parse(list), cpus.maskOf(cpus.gettid()));
        }
        String message = assertThrows(AffinityException.class, () -> wide.pin(CpuList.parse("1790-1792")))
                .getMessage();
        assertTrue(message.contains("the kernel lets it run on 1790-1791 instead; 1792 is missing"), message);
        assertEquals(CpuList.parse("64,1791"), wide.current());
    }

    @Test
    void maskGrowsUntilTheKernelTakesIt() throws AffinityException {
        List<Integer> asked = new ArrayList<>();
        Affinity wide = new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedGetaffinity(int tid, int maskBytes, long mask) {
                asked.add(maskBytes);
                return maskBytes < 512 ? -Errno.EINVAL : super.schedGetaffinity(tid, maskBytes, mask);
            }
        });
        assertEquals(before, wide.current());
        assertEquals(List.of(128, 256, 512), asked);
    }

    @Test
    void maskDoesNotGrowForEver() {
        List<Integer> asked = new ArrayList<>();
        AffinityException thrown = assertThrows(AffinityException.class, new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedGetaffinity(int tid, int maskBytes, long mask) {
                asked.add(maskBytes);
                return -Errno.EINVAL;
            }
        })::current);
        assertEquals(List.of(128, 256, 512, 1024), asked);
        assertEquals(
                "sched_getaffinity: EINVAL (invalid argument)",
                thrown.getCause().getMessage());
    }

    @Test
    void otherErrorsEndTheReadingAtOnce() {
        AffinityException thrown = assertThrows(AffinityException.class, new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedGetaffinity(int tid, int maskBytes, long mask) {
                return -Errno.ENOSYS;
            }
        })::current);
        assertEquals(Errno.ENOSYS, ((KernelException) thrown.getCause()).errno());
    }

    @Test
    void refusalsAreDescribed() {
        assertTrue(refusedWith(Errno.EPERM).contains("does not permit it (EPERM)"), refusedWith(Errno.EPERM));
        assertTrue(refusedWith(Errno.ENOMEM).contains("ENOMEM (cannot allocate memory)"), refusedWith(Errno.ENOMEM));
    }

    private String refusedWith(int errno) {
        Affinity refusing = new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedSetaffinity(int tid, int maskBytes, long mask) {
                return -errno;
            }
        });
        return assertThrows(AffinityException.class, () -> refusing.pin(before)).getMessage();
    }

    @Test
    void failureToGoBackIsReportedToo() {
        List<Integer> calls = new ArrayList<>();
        Affinity failing = new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedSetaffinity(int tid, int maskBytes, long mask) {
                calls.add(maskBytes);
                return calls.size() == 1 ? super.schedSetaffinity(tid, maskBytes, mask) : -Errno.EPERM;
            }
        });
        int first = before.cpus().findFirst().orElseThrow();
        String message = assertThrows(
                        AffinityException.class, () -> failing.pin(CpuList.of(first, CpuList.CPUS_MAX - 1)))
                .getMessage();
        assertTrue(
                message.endsWith("; and going back to " + before + " failed: EPERM (operation not permitted)"),
                message);
    }
}
