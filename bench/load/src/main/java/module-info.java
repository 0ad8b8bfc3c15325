/** The load generator of the bench and of {@code cabrank load}, with texts and logging that the bench's modules share. */
@SuppressWarnings("module") // the modules, to which packages are exported, are compiled later
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

    // The bench uses Jackson for its reports, and for the requests to the load generator's process.
    opens org.cabrank.bench.load to
            com.fasterxml.jackson.databind;
    opens org.cabrank.bench.load.datagram to
            com.fasterxml.jackson.databind;

    provides System.LoggerFinder with
            org.cabrank.bench.log.StderrLoggerFinder;
}
