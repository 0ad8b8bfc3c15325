/** A handle set and a stream transport over epoll. */
module org.cabrank.epoll {
    requires transitive org.cabrank.descriptor;
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.lf;

    exports org.cabrank.epoll;

    provides org.cabrank.lf.stream.BackendProvider with
            org.cabrank.epoll.EpollBackendProvider;
}
