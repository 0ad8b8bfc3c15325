/** The Leader/Followers pattern in pure Java: threads that take turns watching a handle set. */
@SuppressWarnings("module") // the modules that get qualified exports are compiled later
module org.cabrank.lf {
    requires org.jctools.core;

    // These modules are optional at run time. Code that needs a missing module reports this, or works without the
    // module.
    requires static java.management;
    requires static jdk.jfr;

    exports org.cabrank.lf;
    exports org.cabrank.lf.bound;
    exports org.cabrank.lf.failure to
            org.cabrank.epoll,
            org.cabrank.http,
            org.cabrank.httpserver,
            org.cabrank.iouring,
            org.cabrank.netty,
            org.cabrank.socket,
            org.cabrank.stream;
    exports org.cabrank.lf.figures to
            org.cabrank.bench,
            org.cabrank.micrometer,
            org.cabrank.stream,
            org.cabrank.tls;
    exports org.cabrank.lf.handle;
    exports org.cabrank.lf.observe;
    exports org.cabrank.lf.settings to
            org.cabrank.bench,
            org.cabrank.bench.load,
            org.cabrank.epoll,
            org.cabrank.httpserver,
            org.cabrank.iouring,
            org.cabrank.socket,
            org.cabrank.stream;
}
