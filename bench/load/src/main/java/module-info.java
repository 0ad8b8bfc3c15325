/** The load generator of the bench and of {@code cabrank load}. The other modules of the bench use its text formats and its logging. */
@SuppressWarnings("module") // the modules that the exports name are compiled later
module org.cabrank.bench.load {
    requires org.cabrank.kernel;
    requires org.cabrank.lf;
    requires HdrHistogram;
    requires java.management;

    exports org.cabrank.bench.load to
            org.cabrank.bench,
            org.cabrank.bench.lab,
            org.cabrank.lf;
    exports org.cabrank.bench.load.datagram to
            org.cabrank.bench,
            org.cabrank.bench.lab,
            org.cabrank.lf;
    exports org.cabrank.bench.log to
            org.cabrank.bench,
            org.cabrank.bench.lab;
    exports org.cabrank.bench.text to
            org.cabrank.bench,
            org.cabrank.bench.lab;

    opens org.cabrank.bench.load to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.load.datagram to
            com.fasterxml.jackson.databind;

    provides System.LoggerFinder with
            org.cabrank.bench.log.StderrLoggerFinder;
}
