package org.cabrank.kernel;

/**
 * From which memory nodes pages come: numa(7). Constants are in {@link MemoryPolicies}; a failure is {@code -errno}.
 *
 * <p>A node mask has one bit for each node, node 0 in the lowest bit of the first {@code long}. {@code maskBits} is the
 * {@code maxnode} of the manual pages, and the kernel counts it in a way of its own: it looks at {@code maskBits - 1} bits,
 * in whole longs. So a mask of n longs goes with {@code 64 * n + 1}.
 *
 * <p>Every call fails with {@code ENOSYS} where the kernel was built without NUMA, and with {@code EPERM} in a container
 * whose seccomp filter forbids it (Docker's does without CAP_SYS_NICE).
 */
public interface MemoryPolicyCalls extends NativeCalls {

    /**
     * set_mempolicy(2): the policy of the calling thread, for pages that it is the first to touch. New threads inherit
     * it. It moves no page.
     *
     * @param mode one of {@code MPOL_*}, perhaps or-ed with a mode flag
     * @param nodeMask the address of a node mask, or 0 for the empty one
     * @return 0; {@code EINVAL} for a mode that goes with another kind of mask, and when none of the nodes is there,
     *     has memory and is allowed by the cpuset
     */
    default int setMempolicy(int mode, long nodeMask, int maskBits) {
        return (int) call(SystemCall.SET_MEMPOLICY, mode, nodeMask, maskBits, 0, 0, 0);
    }

    /**
     * get_mempolicy(2): reads the policy of the calling thread; with {@link MemoryPolicies#MPOL_F_ADDR} the policy of the
     * memory at {@code address}; with {@link MemoryPolicies#MPOL_F_MEMS_ALLOWED} the nodes that the cpuset allows.
     *
     * @param modeAddress address that receives the mode, an {@code int}; or 0
     * @param nodeMask address that receives the mask of nodes; or 0
     * @param address 0 without {@code MPOL_F_ADDR}
     * @return 0; {@code EINVAL} if the mask is too small for the nodes that the machine may have
     */
    default int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return (int) call(SystemCall.GET_MEMPOLICY, modeAddress, nodeMask, maskBits, address, flags, 0);
    }

    /**
     * move_pages(2): moves individual pages of a process to nodes, or reports the pages' nodes.
     *
     * @param pid 0: this process
     * @param count number of pages
     * @param pages address of {@code count} addresses, one in each page
     * @param nodes address of {@code count} ints, the target nodes; 0: report only
     * @param status address that receives {@code count} ints: the page's node or a negative errno ({@code ENOENT} for a
     *     page that no thread has touched yet)
     * @return 0; when moving, the number of pages that were not moved
     */
    default int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return (int) call(SystemCall.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }
}
