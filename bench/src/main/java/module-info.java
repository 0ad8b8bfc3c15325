/** The cabrank command. */
module org.cabrank.bench {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires org.cabrank.affinity;
}
