/** A connection without a socket and a virtual clock, for tests of handlers. */
module org.cabrank.stream.testkit {
    requires transitive org.cabrank.stream;

    exports org.cabrank.stream.testkit;
}
