/** Frames in a stream of bytes: handlers that see whole messages. */
module org.cabrank.framing {
    requires transitive org.cabrank.stream;

    exports org.cabrank.framing;
}
