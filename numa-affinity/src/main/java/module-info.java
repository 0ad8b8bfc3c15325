/** Which CPUs this process may use, and pinning threads to them. */
module org.cabrank.affinity {
    requires transitive org.cabrank.kernel;

    exports org.cabrank.affinity;
}
