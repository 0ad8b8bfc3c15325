/** Cuts a stream of bytes into frames, so that a handler sees whole messages. */
module org.cabrank.framing {
    requires transitive org.cabrank.stream;

    exports org.cabrank.framing;
}
