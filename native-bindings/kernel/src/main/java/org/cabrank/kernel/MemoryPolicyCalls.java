package org.cabrank.kernel;

/**
 * Memory nodes of pages: numa(7). Constants are in {@link MemoryPolicies}.
 *
 * <p>A node mask has one bit for each node, node 0 in the lowest bit of the first {@code long}. {@code maskBits} is the {@code maxnode} of
 * the manual pages, of which the kernel reads {@code maskBits - 1} bits, in whole longs: a mask of n longs needs {@code 64 * n + 1}.
 *
 * <p>Every call fails with {@code ENOSYS} if the kernel was built without NUMA, and with {@code EPERM} in a container whose seccomp filter
 * forbids it (Docker's does without CAP_SYS_NICE).
 */
public interface MemoryPolicyCalls extends NativeCalls {

    /**
     * set_mempolicy(2): the policy of the calling thread, for pages that it is the first to touch; moves no page. New threads inherit it.
     *
     * @param mode one of {@code MPOL_*}, perhaps or-ed with a mode flag
     * @param nodeMask address of a node mask, or 0 for the empty one
     * @return 0; {@code EINVAL} for a mode that requires another kind of mask, or if no named node exists, has memory and is in the cpuset
     */
    default int setMempolicy(int mode, long nodeMask, int maskBits) {
        return (int) call(SystemCall.SET_MEMPOLICY, mode, nodeMask, maskBits, 0, 0, 0);
    }

    /**
     * get_mempolicy(2): the policy of the calling thread; with {@link MemoryPolicies#MPOL_F_ADDR} that of the memory at
     * {@code address}, which is 0 without; with {@link MemoryPolicies#MPOL_F_MEMS_ALLOWED} the nodes that the cpuset allows.
     *
     * @param modeAddress address that receives the mode, an {@code int}; or 0
     * @param nodeMask address that receives the mask of nodes; or 0
     * @return 0; {@code EINVAL} if the mask is too small for the nodes that the machine may have
     */
    default int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return (int) call(SystemCall.GET_MEMPOLICY, modeAddress, nodeMask, maskBits, address, flags, 0);
    }

    /**
     * move_pages(2): moves individual pages of a process to nodes, or reports the pages' nodes.
     *
     * @param pid 0: this process
     * @param pages address of {@code count} addresses, one in each page
     * @param nodes address of {@code count} ints, the target nodes; 0: report only
     * @param status address that receives {@code count} ints: the page's node or a negative errno ({@code ENOENT}: not touched yet)
     * @return 0; when moving, the number of pages that were not moved
     */
    default int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return (int) call(SystemCall.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }
}
