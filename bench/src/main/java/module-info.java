/** The cabrank command: servers, a load generator, and the bench that compares servers side by side. */
module org.cabrank.bench {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires org.cabrank.epoll;
    requires org.cabrank.iouring;
    requires org.cabrank.affinity;
    requires info.picocli;
    requires HdrHistogram;
    requires org.jctools.core.jdk11;
    requires com.fasterxml.jackson.databind;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.classes.io_uring;
    requires jdk.management;
    requires jdk.unsupported;

    // picocli reads the annotations of commands, Jackson those of the report's records.
    opens org.cabrank.bench.report to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.strategies to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.levels to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.cli to
            info.picocli;

    provides System.LoggerFinder with
            org.cabrank.bench.log.StderrLoggerFinder;
}
