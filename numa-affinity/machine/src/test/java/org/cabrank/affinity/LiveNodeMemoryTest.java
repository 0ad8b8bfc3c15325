package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.Memory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the nodes that this machine has, one or several. */
class LiveNodeMemoryTest {
    private static final int BYTES = 8 << 20;

    private Kernel kernel;
    private NodeMemory memory;
    private CpuList allowed;

    @BeforeEach
    void findTheNodes() throws Exception {
        kernel = Kernels.system();
        memory = new NodeMemory(kernel);
        try {
            allowed = memory.allowed();
        } catch (MemoryPolicyException refused) {
            if (refused.errno() == Errno.ENOSYS || refused.errno() == Errno.EPERM) {
                abort(refused.getMessage());
            }
            throw refused;
        }
    }

    private List<Integer> nodesToTry() {
        return allowed.cpus().boxed().toList();
    }

    /** The kernel's description of one mapping: address, policy, and number of pages on each node. */
    private static String numaMap(long address) throws Exception {
        String start = String.format("%08x ", address);
        return Files.readAllLines(Path.of("/proc/self/numa_maps")).stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElse("none that begins with " + start);
    }

    private long map() {
        long address = kernel.mmap(
                0,
                BYTES,
                Memory.PROT_READ | Memory.PROT_WRITE,
                Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_NORESERVE,
                -1,
                0);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        return address;
    }

    @Test
    void bufferThatIsMadeUnderAPolicyLiesOnItsNode() throws Exception {
        for (int node : nodesToTry()) {
            for (MemoryPolicy policy : List.of(MemoryPolicy.bind(node), MemoryPolicy.preferred(node))) {
                ByteBuffer buffer = memory.call(policy, () -> ByteBuffer.allocateDirect(BYTES));
                PagePlaces places = memory.where(buffer);
                // Its first and last page may have been in use before.
                assertTrue(places.on(node) >= BYTES / kernel.getpagesize() - 1, places::toString);
                assertEquals(0, places.untouched());
            }
        }
    }

    @Test
    void memoryIsNowhereUntilItIsTouchedAndThenWhereItIsBound() throws Exception {
        for (int node : nodesToTry()) {
            long address = map();
            PagePlaces before = memory.where(address, BYTES);
            assertEquals(before.pages(), before.untouched());
            assertEquals(BYTES, memory.bind(address, BYTES, MemoryPolicy.bind(node)));
            for (int at = 0; at < BYTES; at += kernel.getpagesize()) {
                kernel.viewOf(address, BYTES).put(at, (byte) 1);
            }
            PagePlaces after = memory.where(address, BYTES);
            assertEquals(BYTES / kernel.getpagesize(), after.on(node), after::toString);
            assertTrue(after.onlyOn(node));
            String map = numaMap(address);
            assertTrue(map.contains("bind:" + node) || map.contains("bind=static:" + node), map);
            assertEquals(0, kernel.munmap(address, BYTES));
        }
    }

    /** Pages of zeros need not move: when Linux 6.12 splits a huge page to move it, they become the zero page that all share. */
    @Test
    void pagesThatAreThereMoveToTheNodeThatTheyAreBoundTo() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        for (int at = 0; at < BYTES; at += kernel.getpagesize()) {
            buffer.put(at, (byte) 1);
        }
        for (int node : nodesToTry()) {
            long bound = memory.bind(buffer, MemoryPolicy.bind(node));
            assertTrue(bound > BYTES - 2 * kernel.getpagesize());
            PagePlaces places = memory.where(buffer);
            assertTrue(places.on(node) >= bound / kernel.getpagesize(), places::toString);
        }
        memory.bind(buffer, MemoryPolicy.standard());
    }

    @Test
    void everyPolicyIsTakenAndReadBack() throws Exception {
        int node = nodesToTry().get(0);
        for (MemoryPolicy policy : List.of(
                MemoryPolicy.local(),
                MemoryPolicy.preferred(node),
                MemoryPolicy.bind(node),
                MemoryPolicy.interleave(node),
                MemoryPolicy.standard())) {
            memory.apply(policy);
        }
    }

    @Test
    void probeTellsWhereMemoryComesFrom() throws Exception {
        for (int node : nodesToTry()) {
            PagePlaces probed = memory.call(MemoryPolicy.bind(node), memory::probe);
            assertEquals(16, probed.on(node), probed::toString);
            assertTrue(probed.onlyOn(node));
        }
    }

    @Test
    void nodeThatIsNotThereIsRefused() throws Exception {
        MemoryPolicyException refused =
                assertThrows(MemoryPolicyException.class, () -> memory.apply(MemoryPolicy.bind(1023)));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().endsWith("it may use node " + allowed), refused::getMessage);
    }

    @Test
    void rangeThatIsNotMappedIsRefused() throws Exception {
        long address = map();
        assertEquals(0, kernel.munmap(address, BYTES));
        MemoryPolicyException refused =
                assertThrows(MemoryPolicyException.class, () -> memory.bind(address, BYTES, MemoryPolicy.bind(0)));
        assertEquals(Errno.EFAULT, refused.errno());
        assertNotEquals(
                0,
                memory.where(address, BYTES).unknown()
                        + memory.where(address, BYTES).untouched());
    }
}
