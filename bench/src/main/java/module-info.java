/** The cabrank command: servers, a load generator, and the bench that compares servers side by side. */
module org.cabrank.bench {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires org.cabrank.stream;
    requires org.cabrank.socket;
    requires org.cabrank.epoll;
    requires org.cabrank.iouring;
    requires org.cabrank.affinity;
    requires org.cabrank.pinning;
    requires info.picocli;
    requires com.samskivert.jmustache;
    requires HdrHistogram;
    requires org.jctools.core.jdk11;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.databind;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.classes.io_uring;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;

    // JMX calls the interface of the server's bean.
    exports org.cabrank.bench.serve to
            java.management;

    // picocli reads the annotations of commands, Jackson those of the report's records.
    opens org.cabrank.bench.report to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.load to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.report.statistics to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.experiment to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.topology to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.cli to
            com.fasterxml.jackson.databind,
            info.picocli;

    provides System.LoggerFinder with
            org.cabrank.bench.log.StderrLoggerFinder;
}
