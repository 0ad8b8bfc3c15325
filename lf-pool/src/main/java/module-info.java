/** The Leader/Followers pattern in pure Java, and the stream interfaces that reactors implement. */
module org.cabrank.lf {
    requires org.jctools.core;

    // Both at run time only if the image has them: what needs them says so, or does without.
    requires static java.management;
    requires static jdk.jfr;

    exports org.cabrank.lf;
    exports org.cabrank.lf.management;
    exports org.cabrank.lf.stream;
    exports org.cabrank.lf.stream.spi;

    uses org.cabrank.lf.stream.BackendProvider;
}
