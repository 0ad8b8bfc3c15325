/** CPUs and memory nodes of the machine, the limits that apply to this process, and pinning of threads and memory. */
@SuppressWarnings("module") // this module is compiled before the module that it exports a package to
module org.cabrank.affinity {
    requires transitive org.cabrank.kernel;

    exports org.cabrank.affinity;
    exports org.cabrank.affinity.files to
            org.cabrank.pinning;
    exports org.cabrank.affinity.limits;
    exports org.cabrank.affinity.placement;
    exports org.cabrank.affinity.reservation;
    exports org.cabrank.affinity.topology;
}
