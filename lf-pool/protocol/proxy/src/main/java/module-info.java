/** The PROXY protocol, versions 1 and 2: handlers behind a proxy that learn the address of the client. */
module org.cabrank.proxy {
    requires transitive org.cabrank.stream;

    exports org.cabrank.proxy;
}
