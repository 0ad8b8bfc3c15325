/** Compares servers side by side: contenders, scenarios, measuring, statistics and reports. */
@SuppressWarnings("module") // the exports name a module that is compiled later
module org.cabrank.bench.lab {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires org.cabrank.stream;
    requires org.cabrank.socket;
    requires transitive org.cabrank.http;
    requires org.cabrank.tls;
    requires org.cabrank.netty;
    requires org.cabrank.epoll;
    requires org.cabrank.iouring;
    requires org.cabrank.affinity;
    requires org.cabrank.pinning;
    requires org.cabrank.bench.load;
    requires com.samskivert.jmustache;
    requires HdrHistogram;
    requires org.apache.commons.statistics.descriptive;
    requires org.apache.commons.statistics.distribution;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.databind;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.classes.io_uring;
    requires io.netty.transport.unix.common;
    requires java.management;
    requires jdk.management;

    uses org.cabrank.bench.contender.ContenderProvider;

    exports org.cabrank.bench.contender to
            org.cabrank.bench;
    exports org.cabrank.bench.handler to
            org.cabrank.bench;
    exports org.cabrank.bench.http to
            org.cabrank.bench;
    exports org.cabrank.bench.report to
            org.cabrank.bench;
    exports org.cabrank.bench.report.compare to
            org.cabrank.bench;
    exports org.cabrank.bench.report.html to
            org.cabrank.bench;
    exports org.cabrank.bench.run to
            org.cabrank.bench;
    exports org.cabrank.bench.scenario to
            org.cabrank.bench;

    // Jackson reads the annotations of the report's records.
    opens org.cabrank.bench.report to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.report.statistics to
            com.fasterxml.jackson.databind;
}
