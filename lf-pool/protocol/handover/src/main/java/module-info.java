/** Restarts a service without refusing connections. The new process takes the listening sockets of the old process. */
module org.cabrank.handover {
    requires transitive org.cabrank.stream;
    requires org.cabrank.kernel;
    requires org.cabrank.socket;

    exports org.cabrank.handover;
}
