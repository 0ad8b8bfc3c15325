/** The Leader/Followers pattern in pure Java, and the stream interfaces that reactors implement. */
module org.cabrank.lf {
    exports org.cabrank.lf;
    exports org.cabrank.lf.stream;
    exports org.cabrank.lf.stream.spi;

    uses org.cabrank.lf.stream.BackendProvider;
}
