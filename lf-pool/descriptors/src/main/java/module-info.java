/**
 * Descriptors as handles of the pattern, and what is made of them: the half of a reactor that does not depend on how it
 * waits.
 */
@SuppressWarnings("module") // the reactors named below are built after this module
module org.cabrank.descriptor {
    requires transitive org.cabrank.kernel;
    requires transitive org.cabrank.lf;

    exports org.cabrank.descriptor;
    exports org.cabrank.descriptor.source;
    exports org.cabrank.descriptor.spi to
            org.cabrank.epoll,
            org.cabrank.iouring;
}
