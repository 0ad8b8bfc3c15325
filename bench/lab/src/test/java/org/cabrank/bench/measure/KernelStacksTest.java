package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KernelStacksTest {

    @TempDir
    Path root;

    /** A machine that answers each perf_event_open with {@code answer}; 0: with a descriptor. */
    private static final class Machine extends ForwardingKernel {
        private final int answer;
        private int closed;

        Machine(int answer) throws Exception {
            super(Kernels.system());
            this.answer = answer;
        }

        @Override
        public int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
            return answer == 0 ? eventfd(0, 0) : answer;
        }

        @Override
        public int close(int fd) {
            closed++;
            return super.close(fd);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private String obstacle(int answer) throws Exception {
        return KernelStacks.obstacle(new Machine(answer), root).orElseThrow();
    }

    @Test
    void aMachineThatPermitsEventsAndShowsItsSymbolsHasNoObstacle() throws Exception {
        write("proc/kallsyms", "ffffffff81000000 T _text\n");
        Machine machine = new Machine(0);
        assertEquals(Optional.empty(), KernelStacks.obstacle(machine, root));
        assertEquals(1, machine.closed, "the probe's descriptor");
    }

    @Test
    void aRefusalNamesTheSettingAndTheRemedy() throws Exception {
        write("proc/sys/kernel/perf_event_paranoid", "2\n");
        assertEquals(
                "Stacks end at the border of the kernel: kernel.perf_event_paranoid is 2 or a sandbox forbids them; run the"
                        + " bench as root, or as root: sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0 (in a"
                        + " container, allow perf_event_open).",
                obstacle(-Errno.EACCES));
        assertEquals(obstacle(-Errno.EACCES), obstacle(-Errno.EPERM));
    }

    @Test
    void hiddenSymbolsAreAnObstacle() throws Exception {
        write("proc/kallsyms", "0000000000000000 T _text\n");
        write("proc/sys/kernel/kptr_restrict", "2\n");
        assertTrue(obstacle(0).contains("kernel.kptr_restrict is 2; run the bench as root"), obstacle(0));
    }

    @Test
    void aKernelWithoutEventsAndAnUnknownErrorAreToldApart() throws Exception {
        assertTrue(obstacle(-Errno.ENOSYS).contains("CONFIG_PERF_EVENTS"), obstacle(-Errno.ENOSYS));
        assertTrue(obstacle(-Errno.EMFILE).contains("EMFILE"), obstacle(-Errno.EMFILE));
    }
}
