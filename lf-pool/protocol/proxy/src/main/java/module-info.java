/** The PROXY protocol, versions 1 and 2. A handler behind a proxy sees the address of the client. */
module org.cabrank.proxy {
    requires transitive org.cabrank.stream;

    exports org.cabrank.proxy;
}
