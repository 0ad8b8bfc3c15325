package org.cabrank.kernel;

/**
 * Calls for the memory nodes of pages: see numa(7). Constants are in {@link MemoryPolicies}.
 *
 * <p>A node mask has one bit for each node, node 0 in the lowest bit of the first {@code long}. {@code maskBits} is the {@code maxnode} of
 * the manual pages. The kernel reads {@code maskBits - 1} bits, in whole longs: for a mask of n longs, pass {@code 64 * n + 1}.
 *
 * <p>Every call fails with {@code ENOSYS} if the kernel was built without NUMA, and with {@code EPERM} in a container whose seccomp filter
 * forbids the call (that of Docker does, without CAP_SYS_NICE).
 */
public interface MemoryPolicyCalls extends NativeCalls {

    /**
     * set_mempolicy(2): sets the calling thread's policy for pages that it touches first. Moves no page. New threads inherit the policy.
     *
     * @param mode one of {@code MPOL_*}, perhaps or-ed with a mode flag
     * @param nodeMask address of a node mask; 0 for an empty mask
     * @return 0; {@code EINVAL} if the mask does not fit the mode, or if none of its nodes exists, has memory and is in the cpuset
     */
    default int setMempolicy(int mode, long nodeMask, int maskBits) {
        return (int) call(SystemCall.SET_MEMPOLICY, mode, nodeMask, maskBits, 0, 0, 0);
    }

    /**
     * get_mempolicy(2): reads the policy of the calling thread; with {@link MemoryPolicies#MPOL_F_ADDR} the policy of the memory at {@code
     * address} (otherwise 0); with {@link MemoryPolicies#MPOL_F_MEMS_ALLOWED} the nodes that the cpuset allows.
     *
     * @param modeAddress address that receives the mode, an {@code int}; or 0
     * @param nodeMask address that receives the mask of nodes; or 0
     * @return 0; {@code EINVAL} if the mask is too small for the nodes that the machine may have
     */
    default int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return (int) call(SystemCall.GET_MEMPOLICY, modeAddress, nodeMask, maskBits, address, flags, 0);
    }

    /**
     * move_pages(2): moves pages of a process to nodes, or reports the nodes of pages.
     *
     * @param pid 0: this process
     * @param pages address of {@code count} addresses, one in each page
     * @param nodes address of {@code count} ints, the target nodes; 0: only reports
     * @param status address that receives {@code count} ints: for each page its node or a negative errno ({@code ENOENT}: not touched yet)
     * @return 0; when moving, the number of pages that were not moved
     */
    default int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return (int) call(SystemCall.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }
}
