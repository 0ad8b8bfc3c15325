package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.MemoryPolicies;
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
    void policyHoldsWhileTheWorkIsDoneAndNoLonger() throws Exception {
        KernelPolicy before =
                new KernelPolicy(MemoryPolicies.MPOL_BIND | MemoryPolicies.MPOL_F_STATIC_NODES, CpuList.parse("0-1"));
        nodes.thread = before;
        KernelPolicy meanwhile = memory.call(MemoryPolicy.preferred(2), () -> nodes.thread);
        assertEquals(new KernelPolicy(MemoryPolicies.MPOL_PREFERRED, CpuList.of(2)), meanwhile);
        assertEquals(before, nodes.thread);
    }

    @Test
    void policyIsPutBackWhenTheWorkFails() {
        assertThrows(
                IllegalStateException.class,
                () -> memory.call(MemoryPolicy.bind(1), () -> {
                    throw new IllegalStateException("the work's own");
                }));
        assertEquals(new KernelPolicy(MemoryPolicies.MPOL_DEFAULT, CpuList.of()), nodes.thread);
    }

    @Test
    void nodesThatAreSilentlyDroppedAreFoundOut() {
        nodes.thread = new KernelPolicy(MemoryPolicies.MPOL_LOCAL, CpuList.of());
        MemoryPolicyException partial =
                assertThrows(MemoryPolicyException.class, () -> memory.apply(MemoryPolicy.bind(3, 4)));
        assertEquals(
                "this thread's memory cannot have the policy bind:3-4: the kernel makes it bind:3; it has local as before",
                partial.getMessage());
        assertEquals(new KernelPolicy(MemoryPolicies.MPOL_LOCAL, CpuList.of()), nodes.thread);
    }

    @Test
    void nodeThatIsNotAllowedIsRefusedInWordsAndTheWorkIsNotDone() {
        MemoryPolicyException refused = assertThrows(
                MemoryPolicyException.class,
                () -> memory.call(MemoryPolicy.bind(5), () -> {
                    throw new AssertionError("done all the same");
                }));
        assertEquals(
                "this thread's memory cannot have the policy bind:5: none of these nodes is there, has memory and is"
                        + " allowed for this process (EINVAL); it may use node 0-3",
                refused.getMessage());
        assertEquals(Errno.EINVAL, refused.errno());
    }

    @ParameterizedTest
    @CsvSource({
        Errno.EPERM + ",Docker's does without CAP_SYS_NICE",
        Errno.ENOSYS + ",built without NUMA",
        Errno.EIO + ",cannot be moved (EIO)",
        Errno.EFAULT + ",not all of it is memory of this process",
        Errno.ENOMEM + ",no memory for it",
        Errno.EBADF + ",EBADF (bad file descriptor)"
    })
    void refusalsAreToldInWords(int errno, String words) {
        nodes.errno = errno;
        for (MemoryPolicyException refused : List.of(
                assertThrows(MemoryPolicyException.class, () -> memory.apply(MemoryPolicy.bind(1))),
                assertThrows(MemoryPolicyException.class, () -> memory.bind(1 << 20, 1 << 16, MemoryPolicy.bind(1))),
                assertThrows(MemoryPolicyException.class, () -> memory.where(1 << 20, 1 << 16)))) {
            assertTrue(refused.getMessage().contains(words), refused::getMessage);
            assertEquals(errno, refused.errno());
        }
    }

    @Test
    void memoryIsBoundByWholePagesOnly() throws Exception {
        assertEquals(2 * 4096, memory.bind(4096 - 1, 2 * 4096 + 2, MemoryPolicy.bind(1)));
        assertEquals(2 * 4096, memory.bind(4096, 2 * 4096, MemoryPolicy.bind(1)));
        assertEquals(4096, memory.bind(1, 3 * 4096 - 2, MemoryPolicy.bind(1)));
        assertEquals(List.of("4096+8192", "4096+8192", "4096+4096"), nodes.ranges);
        assertEquals(0, memory.bind(1, 2 * 4096 - 2, MemoryPolicy.bind(1)));
        assertEquals(3, nodes.ranges.size());
        assertEquals(new KernelPolicy(MemoryPolicies.MPOL_BIND, CpuList.of(1)), nodes.set.get(0));
    }

    @Test
    void everyPageIsAskedForAndCountedOnItsNode() throws Exception {
        nodes.statuses = new int[] {0, 0, 2, -Errno.ENOENT, -Errno.EFAULT};
        PagePlaces places = memory.where(4096 + 100, 5000L * 4096);
        assertEquals(5001, places.pages());
        assertEquals(List.of(1024L, 1024L, 1024L, 1024L, 905L), nodes.asked);
        // Each call begins with the first status again.
        assertEquals(4 * (2 * 204 + 2) + 2 * 181, places.on(0));
        assertEquals(4 * 205 + 181, places.on(2));
        assertEquals(0, places.on(1));
        assertEquals(4 * 205 + 181, places.untouched());
        assertEquals(4 * 204 + 181, places.unknown());
        assertFalse(places.onlyOn(0));
    }

    @Test
    void placesAreToldInWords() throws Exception {
        nodes.statuses = new int[] {0, 2, 2, -Errno.ENOENT, -Errno.EFAULT};
        assertEquals(
                "1 page on node 0, 2 pages on node 2, 1 untouched, 1 of which the kernel does not say where",
                memory.where(0, 5 * 4096).toString());
        nodes.statuses = new int[] {1, -Errno.ENOENT};
        assertTrue(memory.where(0, 8 * 4096).onlyOn(1));
        assertFalse(memory.where(0, 8 * 4096).onlyOn(0));
        nodes.statuses = new int[] {-Errno.ENOENT};
        assertEquals("2 untouched", memory.where(0, 2 * 4096).toString());
        assertEquals("no pages", memory.where(4096, 0).toString());
    }

    @Test
    void localPolicyIsKnownThoughAnOlderKernelCallsItAnother() throws Exception {
        SimulatedNodes older = new SimulatedNodes(nodes, CpuList.of(0)) {
            @Override
            public int setMempolicy(int mode, long nodeMask, int maskBits) {
                int made = mode == MemoryPolicies.MPOL_LOCAL ? MemoryPolicies.MPOL_PREFERRED : mode;
                return super.setMempolicy(made, nodeMask, maskBits);
            }
        };
        new NodeMemory(older).apply(MemoryPolicy.local());
        assertEquals(MemoryPolicies.MPOL_PREFERRED, older.thread.mode());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"DEFAULT,none,default", "LOCAL,none,local", "PREFERRED,1,preferred:1", "BIND,0-1,bind:0-1"})
    void policySaysWhatItIs(MemoryPolicy.Kind kind, String list, String words) {
        assertEquals(words, new MemoryPolicy(kind, CpuList.parse(list == null ? "" : list)).toString());
    }

    @Test
    void policyWithoutItsNodesIsAMistake() {
        assertThrows(IllegalArgumentException.class, MemoryPolicy::bind);
        assertThrows(IllegalArgumentException.class, MemoryPolicy::interleave);
        assertThrows(
                IllegalArgumentException.class,
                () -> new MemoryPolicy(MemoryPolicy.Kind.PREFERRED, CpuList.parse("0-1")));
        assertThrows(IllegalArgumentException.class, () -> new MemoryPolicy(MemoryPolicy.Kind.LOCAL, CpuList.of(0)));
    }
}
