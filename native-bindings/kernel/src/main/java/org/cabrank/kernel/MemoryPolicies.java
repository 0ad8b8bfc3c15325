package org.cabrank.kernel;

/** Constants of numa(7), for {@link MemoryPolicyCalls}. */
public final class MemoryPolicies {
    /** A thread: the node of the CPU that it runs on. A range of memory: the policy of the thread that touches it. */
    public static final int MPOL_DEFAULT = 0;
    /** The named node as long as it has free memory, then the nearest; of several, the lowest. */
    public static final int MPOL_PREFERRED = 1;
    /** Only the named nodes, even if the out-of-memory killer must make room there. */
    public static final int MPOL_BIND = 2;

    /** Mode flag: the numbers are the machine's, also when the cpuset changes. */
    public static final int MPOL_F_STATIC_NODES = 1 << 15;

    /** Flag of get_mempolicy: asks about an address instead of the thread. */
    public static final int MPOL_F_ADDR = 1 << 1;
    /** Flag of get_mempolicy: returns the nodes that the thread may use in policies. */
    public static final int MPOL_F_MEMS_ALLOWED = 1 << 2;

    /** Flag of move_pages: moves the pages that only this process uses. */
    public static final int MPOL_MF_MOVE = 1 << 1;

    private MemoryPolicies() {}
}
