/** Cabrank as one module: streams, sockets, both backends, pinning, and the kernel binding of JDKs before 22. */
module org.cabrank {
    requires transitive org.cabrank.epoll;
    requires transitive org.cabrank.iouring;
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.lf;
    requires transitive org.cabrank.pinning;
    requires transitive org.cabrank.socket;
    requires transitive org.cabrank.stream;

    // Found by the service loader.
    requires org.cabrank.kernel.jna;
}
