/** What CPUs and memory nodes there are, which of them this process may use, and pinning threads to them. */
module org.cabrank.affinity {
    requires transitive org.cabrank.kernel;

    exports org.cabrank.affinity;
    exports org.cabrank.affinity.limits;
    exports org.cabrank.affinity.placement;
    exports org.cabrank.affinity.reservation;
    exports org.cabrank.affinity.topology;
}
