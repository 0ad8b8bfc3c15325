package org.cabrank.kernel;

/** Constants of numa(7), for {@link MemoryPolicyCalls}. */
public final class MemoryPolicies {
    /** A page comes from the node of the CPU that touches it first. */
    public static final int MPOL_DEFAULT = 0;
    /** Takes memory from the named node with the lowest number. If this node has no free memory, takes memory from the nearest. */
    public static final int MPOL_PREFERRED = 1;
    /** Takes memory only from the named nodes. If they have no free memory, the out-of-memory killer may run. */
    public static final int MPOL_BIND = 2;

    /** Mode flag: the bits of the mask are node numbers of the machine. They are not renumbered if the cpuset changes. */
    public static final int MPOL_F_STATIC_NODES = 1 << 15;

    /** Flag of get_mempolicy: returns the policy of an address, not of the thread. */
    public static final int MPOL_F_ADDR = 1 << 1;
    /** Flag of get_mempolicy: returns the nodes that the thread may use in policies. */
    public static final int MPOL_F_MEMS_ALLOWED = 1 << 2;

    /** Flag of move_pages: moves only pages that no other process uses. */
    public static final int MPOL_MF_MOVE = 1 << 1;

    private MemoryPolicies() {}
}
