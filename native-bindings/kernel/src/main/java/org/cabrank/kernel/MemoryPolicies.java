package org.cabrank.kernel;

/** Constants of numa(7), for {@link MemoryPolicyCalls}. */
public final class MemoryPolicies {
    /** For a thread: the node of the CPU that it runs on. For a range of memory: the policy of the thread that touches it first. */
    public static final int MPOL_DEFAULT = 0;
    /** The named node (of several, the lowest) as long as it has free memory, then the nearest node. */
    public static final int MPOL_PREFERRED = 1;
    /** Only the named nodes, even if the out-of-memory killer must free memory there. */
    public static final int MPOL_BIND = 2;

    /** Mode flag: the numbers are node numbers of the machine, even if the cpuset changes. */
    public static final int MPOL_F_STATIC_NODES = 1 << 15;

    /** Flag of get_mempolicy: asks for the policy of an address, not of the thread. */
    public static final int MPOL_F_ADDR = 1 << 1;
    /** Flag of get_mempolicy: returns the nodes that the thread may use in policies. */
    public static final int MPOL_F_MEMS_ALLOWED = 1 << 2;

    /** Flag of move_pages: moves only pages that no other process uses. */
    public static final int MPOL_MF_MOVE = 1 << 1;

    private MemoryPolicies() {}
}
