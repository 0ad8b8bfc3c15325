package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

/** On the nodes that this machine has, one or several. */
class LiveNodeMemoryTest {
    private final NodeMemory memory = new NodeMemory(Kernels.system());

    LiveNodeMemoryTest() throws Exception {}

    private static CpuList allowed() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Mems_allowed_list:"))
                .map(line -> CpuList.parse(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseGet(() -> CpuList.of(0));
    }

    /** Each policy is of a thread that ends. */
    private void prefer(int node) throws Exception {
        Exception[] failed = new Exception[1];
        Thread thread = new Thread(() -> {
            try {
                memory.prefer(node);
            } catch (AffinityException refused) {
                failed[0] = refused;
            }
        });
        thread.start();
        thread.join();
        if (failed[0] instanceof AffinityException refused
                && (refused.errno() == Errno.ENOSYS || refused.errno() == Errno.EPERM)) {
            abort(refused.getMessage());
        }
        if (failed[0] != null) {
            throw failed[0];
        }
    }

    @Test
    void memoryComesFromEachNodeThatIsAllowed() throws Exception {
        for (int node : allowed().cpus().toArray()) {
            prefer(node);
        }
    }

    @Test
    void nodeThatIsNotThereIsRefused() throws Exception {
        AffinityException refused = assertThrows(AffinityException.class, () -> prefer(1023));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().endsWith("it may use node " + allowed()), refused::getMessage);
    }
}
