/** The Leader/Followers pattern in pure Java, and the stream interfaces that reactors implement. */
module org.cabrank.lf {
    exports org.cabrank.lf;
    exports org.cabrank.lf.stream;

    uses org.cabrank.lf.stream.BackendProvider;
}
