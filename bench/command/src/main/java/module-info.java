/** The cabrank command: servers, topology, health of the machine, and the start of the load generator and the bench. */
module org.cabrank.bench {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires org.cabrank.stream;
    requires org.cabrank.socket;
    requires org.cabrank.handover;
    requires org.cabrank.micrometer;
    requires org.cabrank.proxy;
    requires org.cabrank.systemd;
    requires org.cabrank.tls;
    requires org.cabrank.epoll;
    requires org.cabrank.iouring;
    requires org.cabrank.affinity;
    requires org.cabrank.pinning;
    requires org.cabrank.bench.lab;
    requires org.cabrank.bench.load;
    requires info.picocli;
    requires HdrHistogram;
    requires micrometer.registry.prometheus;
    requires java.management;
    requires java.management.rmi;
    requires jdk.attach;
    requires jdk.unsupported;

    // picocli reads the annotations of commands, Jackson reads the records that commands print, and Settings reads the
    // records of --set.
    opens org.cabrank.bench.topology to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.cli to
            com.fasterxml.jackson.databind,
            info.picocli,
            org.cabrank.lf;
}
