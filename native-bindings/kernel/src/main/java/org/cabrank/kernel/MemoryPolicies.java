package org.cabrank.kernel;

/** Constants of numa(7), for {@link MemoryPolicyCalls}. */
public final class MemoryPolicies {
    /** A thread: the node of the CPU that it runs on. A range of memory: what the thread that touches it has. */
    public static final int MPOL_DEFAULT = 0;
    /** The node that is named as long as it has free memory, then the nearest; of several, the lowest. */
    public static final int MPOL_PREFERRED = 1;
    /** The nodes that are named and no other, even if the out-of-memory killer has to make room there. */
    public static final int MPOL_BIND = 2;
    /** The nodes that are named in turn, page by page. */
    public static final int MPOL_INTERLEAVE = 3;
    /** The node of the CPU that the thread runs on (since Linux 3.8). */
    public static final int MPOL_LOCAL = 4;
    /** The nodes that are named as long as they have free memory, then the nearest (since Linux 5.15). */
    public static final int MPOL_PREFERRED_MANY = 5;

    /** Mode flag: the numbers are the machine's and stay so when the cpuset changes. */
    public static final int MPOL_F_STATIC_NODES = 1 << 15;
    /** Mode flag: the numbers count the nodes of the cpuset. */
    public static final int MPOL_F_RELATIVE_NODES = 1 << 14;
    /** Mode flag, with {@link #MPOL_BIND}: the kernel may move pages between these nodes (since Linux 5.12). */
    public static final int MPOL_F_NUMA_BALANCING = 1 << 13;

    /** Flag of get_mempolicy, with {@link #MPOL_F_ADDR}: returns the node of the page instead of its policy. */
    public static final int MPOL_F_NODE = 1;
    /** Flag of get_mempolicy: asks about an address instead of the thread. */
    public static final int MPOL_F_ADDR = 1 << 1;
    /** Flag of get_mempolicy: returns the nodes that the thread may use in policies. */
    public static final int MPOL_F_MEMS_ALLOWED = 1 << 2;

    /** Flag of mbind: fails with EIO if a page is elsewhere (with a MOVE flag: and cannot be moved). */
    public static final int MPOL_MF_STRICT = 1;
    /** Flag of mbind and move_pages: moves the pages that only this process uses. */
    public static final int MPOL_MF_MOVE = 1 << 1;
    /** Flag of mbind and move_pages: moves pages that other processes use too; needs CAP_SYS_NICE. */
    public static final int MPOL_MF_MOVE_ALL = 1 << 2;

    private MemoryPolicies() {}
}
