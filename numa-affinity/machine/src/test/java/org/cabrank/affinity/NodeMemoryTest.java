package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.affinity.fixture.SimulatedNodes;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a machine of eight nodes, of which this process may use four. */
class NodeMemoryTest {
    private SimulatedNodes nodes;
    private NodeMemory memory;

    @BeforeEach
    void haveFourNodes() throws Exception {
        nodes = new SimulatedNodes(Kernels.system(), CpuList.parse("0-3"));
        memory = new NodeMemory(nodes);
    }

    @Test
    void memoryComesFromTheNode() throws Exception {
        nodes.statuses = new int[] {2};
        memory.prefer(2);
        assertEquals(List.of("preferred:2"), nodes.set);
    }

    @Test
    void pageThatIsSwappedOutIsNoSignOfAFullNode() throws Exception {
        nodes.statuses = new int[] {2, -Errno.ENOENT};
        memory.prefer(2);
    }

    @Test
    void nodesOfPagesAreReported() {
        nodes.statuses = new int[] {0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, -Errno.EFAULT};
        AffinityException full = assertThrows(AffinityException.class, () -> memory.prefer(2));
        assertEquals(
                "memory was to come from node 2, but of 16 pages there are 1 of which the kernel does not say where,"
                        + " 5 pages on node 0, 9 pages on node 2, 1 page on node 3: the node has none left",
                full.getMessage());
    }

    @Test
    void nodeThatIsNotAllowedIsRefusedWithTheNodesThatAre() {
        AffinityException refused = assertThrows(AffinityException.class, () -> memory.prefer(5));
        assertEquals(
                "this thread's memory cannot have the policy preferred:5: the node is missing, has no memory or is not"
                        + " allowed for this process (EINVAL); it may use node 0-3",
                refused.getMessage());
        assertEquals(Errno.EINVAL, refused.errno());
    }

    @ParameterizedTest
    @CsvSource({
        Errno.EPERM + ",Docker's does without CAP_SYS_NICE",
        Errno.ENOSYS + ",built without NUMA",
        Errno.ENOMEM + ",no memory for it",
        Errno.EBADF + ",EBADF (bad file descriptor)"
    })
    void refusalsNameTheReason(int errno, String words) {
        nodes.errno = errno;
        AffinityException refused = assertThrows(AffinityException.class, () -> memory.prefer(1));
        assertTrue(refused.getMessage().contains(words), refused::getMessage);
        assertEquals(errno, refused.errno());
    }
}
