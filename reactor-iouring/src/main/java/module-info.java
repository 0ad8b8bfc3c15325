/** A handle set and a stream transport over io_uring. */
module org.cabrank.iouring {
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.socket;

    exports org.cabrank.iouring;
    exports org.cabrank.iouring.config;

    provides org.cabrank.stream.BackendProvider with
            org.cabrank.iouring.IoUringBackendProvider;
}
