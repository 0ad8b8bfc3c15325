package org.cabrank.kernel;

/**
 * Calls for the memory nodes of pages: see numa(7). Constants are in {@link MemoryPolicies}. A node mask has one bit for each node. The
 * lowest bit of the first {@code long} is node 0. {@code maskBits} is the {@code maxnode} of the manual pages. The kernel reads {@code
 * maskBits - 1} bits, so pass {@code 64 * n + 1} for a mask of n longs.
 *
 * <p>Every call fails with {@code ENOSYS} if the kernel was built without NUMA. It fails with {@code EPERM} if a seccomp filter forbids it,
 * as Docker's filter does without CAP_SYS_NICE.
 */
public interface MemoryPolicyCalls extends NativeCalls {

    /**
     * set_mempolicy(2): sets the calling thread's policy for pages that it touches first. Moves no page. New threads inherit the policy.
     * Fails with {@code EINVAL} if the mask does not fit the mode, or has no node that has memory and is in the cpuset.
     *
     * @param mode one of {@code MPOL_*}, perhaps or-ed with a mode flag
     * @param nodeMask address of a node mask. If it is 0, the mask is empty
     */
    default int setMempolicy(int mode, long nodeMask, int maskBits) {
        return (int) call(SystemCall.SET_MEMPOLICY, mode, nodeMask, maskBits, 0, 0, 0);
    }

    /**
     * get_mempolicy(2): reads the policy of the calling thread. With {@link MemoryPolicies#MPOL_F_ADDR} it reads the policy of the memory
     * at {@code address}. With {@link MemoryPolicies#MPOL_F_MEMS_ALLOWED} it reads the nodes that the cpuset allows. Fails with {@code
     * EINVAL} if the mask is too small for the nodes that the machine may have.
     *
     * @param modeAddress address of an {@code int} for the mode, or 0
     * @param nodeMask address of a mask for the nodes, or 0
     * @param address must be 0 without {@code MPOL_F_ADDR}
     */
    default int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return (int) call(SystemCall.GET_MEMPOLICY, modeAddress, nodeMask, maskBits, address, flags, 0);
    }

    /**
     * move_pages(2): moves pages of a process to nodes, or only reports the nodes of pages.
     *
     * @param pid id of the process. 0 is this process
     * @param pages address of {@code count} addresses, one in each page
     * @param nodes address of {@code count} ints, the target nodes. If it is 0, the call only reports
     * @param status address of {@code count} ints: the node of each page, or a negative error number. {@code -ENOENT} for an untouched page
     * @return number of pages that could not be moved. 0 if the call only reports
     */
    default int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return (int) call(SystemCall.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }
}
