/** Descriptors as handles of the pattern: sockets, pipes, signals, files. The half of a reactor that does not depend on how it waits. */
module org.cabrank.socket {
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.stream;

    exports org.cabrank.socket;
    exports org.cabrank.socket.calls;
    exports org.cabrank.socket.source;
    exports org.cabrank.socket.transport;
}
