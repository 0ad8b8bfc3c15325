/** Sockets, pipes, signals and files as handles of a pool. This module does not depend on the way in which a reactor waits for events. */
@SuppressWarnings("module") // this module is compiled before the modules that it exports packages to
module org.cabrank.socket {
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.stream;

    exports org.cabrank.socket;
    exports org.cabrank.socket.calls to
            org.cabrank.bench,
            org.cabrank.epoll,
            org.cabrank.handover,
            org.cabrank.httpserver,
            org.cabrank.iouring,
            org.cabrank.netty;
    exports org.cabrank.socket.source;
    exports org.cabrank.socket.transport to
            org.cabrank.epoll,
            org.cabrank.handover,
            org.cabrank.iouring;
}
