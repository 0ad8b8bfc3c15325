package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.MemoryPolicies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory policies of a thread and of a range of memory, and on which node a page is. */
public abstract class MemoryPolicyCallsContract extends KernelContract {
    /** Wider than the node mask of any kernel: CONFIG_NODES_SHIFT ends at 10. */
    private static final int MASK_BYTES = 1024 / Byte.SIZE;

    private static final int MASK_BITS = MASK_BYTES * Byte.SIZE + 1;

    private static final int PAGES = 4;
    /** The largest base page of both ABIs, so that the memory is whole pages wherever this runs. */
    private static final int PAGE_BYTES = 1 << 16;

    private final ByteBuffer mode = memory(Integer.BYTES);
    private final ByteBuffer mask = memory(MASK_BYTES);

    private long mapped;
    private int node;

    @BeforeEach
    void findANode() {
        int result = policy(0, MemoryPolicies.MPOL_F_MEMS_ALLOWED);
        assumeTrue(result != -Errno.ENOSYS, "this kernel has no NUMA");
        assumeTrue(result != -Errno.EPERM, "a sandbox forbids memory policies");
        good(result);
        node = BitSet.valueOf(mask.duplicate()).previousSetBit(MASK_BYTES * Byte.SIZE);
        long address = kernel().mmap(
                        0,
                        (long) PAGES * PAGE_BYTES,
                        Memory.PROT_READ | Memory.PROT_WRITE,
                        Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS,
                        -1,
                        0);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        mapped = address;
    }

    @AfterEach
    void unmap() {
        if (mapped != 0) {
            good(kernel().setMempolicy(MemoryPolicies.MPOL_DEFAULT, 0, 0));
            good(kernel().munmap(mapped, (long) PAGES * PAGE_BYTES));
        }
    }

    private int policy(long address, int flags) {
        return kernel().getMempolicy(address(mode), address(mask), MASK_BITS, address, flags);
    }

    private void assertPolicy(int expectedMode, BitSet nodes, long address, int flags) {
        good(policy(address, flags));
        assertEquals(expectedMode, mode.getInt(0));
        assertEquals(nodes, BitSet.valueOf(mask.duplicate()));
    }

    private static BitSet only(int node) {
        BitSet nodes = new BitSet();
        nodes.set(node);
        return nodes;
    }

    private ByteBuffer maskOf(int number) {
        return memory(MASK_BYTES).put(0, only(number).toByteArray());
    }

    private int pageNode(int page) {
        ByteBuffer pages = memory(Long.BYTES).putLong(0, mapped + (long) page * PAGE_BYTES);
        ByteBuffer status = memory(Integer.BYTES);
        good(kernel().movePages(0, 1, address(pages), 0, address(status), 0));
        return status.getInt(0);
    }

    @Test
    void policyOfAThreadIsReadBack() {
        for (int set : new int[] {MemoryPolicies.MPOL_BIND, MemoryPolicies.MPOL_PREFERRED}) {
            good(kernel().setMempolicy(set, address(maskOf(node)), MASK_BITS));
            assertPolicy(set, only(node), 0, 0);
        }
        good(kernel().setMempolicy(MemoryPolicies.MPOL_DEFAULT, 0, 0));
        assertPolicy(MemoryPolicies.MPOL_DEFAULT, new BitSet(), 0, 0);
    }

    @Test
    void modeFlagIsReadBackWithTheMode() {
        int set = MemoryPolicies.MPOL_BIND | MemoryPolicies.MPOL_F_STATIC_NODES;
        good(kernel().setMempolicy(set, address(maskOf(node)), MASK_BITS));
        assertPolicy(set, only(node), 0, 0);
    }

    @Test
    void pageIsNowhereUntilItIsTouched() {
        good(kernel().setMempolicy(MemoryPolicies.MPOL_BIND, address(maskOf(node)), MASK_BITS));
        assertErrno(Errno.ENOENT, pageNode(1));
        kernel().viewOf(mapped, PAGES * PAGE_BYTES).put(PAGE_BYTES, (byte) 1);
        assertEquals(node, pageNode(1));
        assertErrno(Errno.ENOENT, pageNode(2));
    }

    @Test
    void manyPagesAreMovedAtOnce() {
        ByteBuffer pages = memory(PAGES * Long.BYTES);
        ByteBuffer nodes = memory(PAGES * Integer.BYTES);
        ByteBuffer status = memory(PAGES * Integer.BYTES);
        ByteBuffer view = kernel().viewOf(mapped, PAGES * PAGE_BYTES);
        for (int i = 0; i < PAGES; i++) {
            pages.putLong(i * Long.BYTES, mapped + (long) i * PAGE_BYTES);
            nodes.putInt(i * Integer.BYTES, node);
            status.putInt(i * Integer.BYTES, -1);
            view.put(i * PAGE_BYTES, (byte) 1);
        }
        good(kernel().movePages(
                        0, PAGES, address(pages), address(nodes), address(status), MemoryPolicies.MPOL_MF_MOVE));
        for (int i = 0; i < PAGES; i++) {
            assertEquals(node, status.getInt(i * Integer.BYTES));
        }
        assertErrno(
                Errno.EINVAL, kernel().movePages(0, PAGES, address(pages), address(nodes), address(status), 1 << 9));
    }

    @Test
    void nonsenseIsRefused() {
        // A node beyond what the mask says it has room for is not looked at, which leaves an empty mask.
        assertErrno(Errno.EINVAL, kernel().setMempolicy(MemoryPolicies.MPOL_BIND, address(maskOf(0)), 1));
        assertErrno(
                Errno.EINVAL,
                kernel().setMempolicy(
                                MemoryPolicies.MPOL_BIND, address(maskOf(MASK_BYTES * Byte.SIZE - 1)), MASK_BITS));
        assertErrno(Errno.EINVAL, kernel().setMempolicy(4_242, address(maskOf(node)), MASK_BITS));
        assertErrno(Errno.EFAULT, kernel().setMempolicy(MemoryPolicies.MPOL_BIND, 8, MASK_BITS));
        assertErrno(Errno.EFAULT, policy(8, MemoryPolicies.MPOL_F_ADDR));
        assertErrno(Errno.ESRCH, kernel().movePages(Integer.MAX_VALUE, 1, mapped, 0, mapped, 0));
    }
}
