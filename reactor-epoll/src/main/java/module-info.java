/** A handle set and a stream transport over epoll. */
module org.cabrank.epoll {
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.socket;

    exports org.cabrank.epoll;

    provides org.cabrank.stream.BackendProvider with
            org.cabrank.epoll.EpollBackendProvider;
}
