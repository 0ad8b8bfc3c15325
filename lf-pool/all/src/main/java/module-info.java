/** Cabrank as one module: streams, sockets, both backends, both kernel bindings and pinning. */
module org.cabrank {
    requires transitive org.cabrank.epoll;
    requires transitive org.cabrank.iouring;
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.lf;
    requires transitive org.cabrank.pinning;
    requires transitive org.cabrank.socket;
    requires transitive org.cabrank.stream;

    // Found by the service loader. The loader skips the first module on a JDK before 22.
    requires org.cabrank.kernel.panama;
    requires org.cabrank.kernel.jna;
}
