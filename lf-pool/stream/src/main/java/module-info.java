/** Stream servers, their connections and handlers, and the interface that a backend implements. */
@SuppressWarnings("module") // this module is compiled before the modules that it exports packages to
module org.cabrank.stream {
    requires transitive org.cabrank.lf;

    // Optional at run time.
    requires static java.management;

    exports org.cabrank.stream;
    exports org.cabrank.stream.figures to
            org.cabrank.micrometer;
    exports org.cabrank.stream.transport to
            org.cabrank.bench.lab,
            org.cabrank.epoll,
            org.cabrank.framing,
            org.cabrank.http,
            org.cabrank.httpserver,
            org.cabrank.iouring,
            org.cabrank.netty,
            org.cabrank.proxy,
            org.cabrank.socket,
            org.cabrank.stream.testkit,
            org.cabrank.tls;

    uses org.cabrank.stream.BackendProvider;
}
