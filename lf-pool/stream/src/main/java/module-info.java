/** Stream servers, their connections and handlers, and the interface that a backend implements. */
module org.cabrank.stream {
    requires transitive org.cabrank.lf;

    // At run time only if the image has it.
    requires static java.management;

    exports org.cabrank.stream;
    exports org.cabrank.stream.transport;

    uses org.cabrank.stream.BackendProvider;
}
