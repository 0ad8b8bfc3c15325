/** The Leader/Followers pattern in pure Java: threads that take turns watching a handle set. */
@SuppressWarnings("module") // it is compiled before the modules that it exports packages to
module org.cabrank.lf {
    requires org.jctools.core;

    // Both at run time only if the image has them: what needs them says so, or does without.
    requires static java.management;
    requires static jdk.jfr;

    exports org.cabrank.lf;
    exports org.cabrank.lf.bound;
    exports org.cabrank.lf.failure to
            org.cabrank.epoll,
            org.cabrank.http,
            org.cabrank.httpserver,
            org.cabrank.iouring,
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
