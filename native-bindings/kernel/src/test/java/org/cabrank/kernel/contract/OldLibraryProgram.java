package org.cabrank.kernel.contract;

import static org.cabrank.kernel.contract.KernelContract.good;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.SchedulingParameter;
import org.cabrank.kernel.layout.SignalSet;

/** The process of {@link OldLibraryContract}: makes the calls whose functions differ between C libraries. */
final class OldLibraryProgram {
    private final Kernel kernel;

    private OldLibraryProgram(Kernel kernel) {
        this.kernel = kernel;
    }

    /** @param args the path of the {@link OldLibrary} */
    public static void main(String[] args) throws Exception {
        assertTrue(Files.readString(Path.of("/proc/self/maps")).contains(args[0]), "the old library is not loaded");
        OldLibraryProgram program = new OldLibraryProgram(Kernels.system());
        program.threadIdIsTheKernels();
        program.policyIsSetAndReadBack();
        program.otherCallsThatDifferBetweenLibraries();
    }

    private void threadIdIsTheKernels() throws Exception {
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        assertEquals(self.getFileName().toString(), "" + kernel.gettid());
    }

    private void policyIsSetAndReadBack() {
        ByteBuffer parameter = KernelContract.memory(SchedulingParameter.SIZE_BYTES);
        assertEquals(Scheduling.SCHED_OTHER, good(kernel.schedGetscheduler(0)));
        good(kernel.schedSetscheduler(0, Scheduling.SCHED_BATCH, kernel.addressOf(parameter)));
        assertEquals(Scheduling.SCHED_BATCH, good(kernel.schedGetscheduler(0)));
        parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, 1);
        good(kernel.schedGetparam(0, kernel.addressOf(parameter)));
        assertEquals(0, parameter.getInt(SchedulingParameter.PRIORITY_OFFSET));
    }

    private void otherCallsThatDifferBetweenLibraries() {
        good(kernel.getpriority(Scheduling.PRIO_PROCESS, 0));
        good(kernel.prctl(Scheduling.PR_GET_TIMERSLACK, 0));
        ByteBuffer mask = KernelContract.memory(SignalSet.SIZE_BYTES);
        good(kernel.pthreadSigmask(Events.SIG_BLOCK, 0, kernel.addressOf(mask)));
        ByteBuffer event = KernelContract.memory(EpollEvent.SIZE_BYTES);
        int polled = kernel.epollPwait2(-1, kernel.addressOf(event), 1, 0);
        assertTrue(polled == -Errno.EBADF || polled == -Errno.ENOSYS, "epoll_pwait2: " + polled);
        assertEquals(-Errno.EBADF, kernel.epollPoll(-1, kernel.addressOf(event), 1));
    }
}
