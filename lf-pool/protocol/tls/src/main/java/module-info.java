/** TLS for stream connections, on any SSLEngine. */
module org.cabrank.tls {
    requires transitive org.cabrank.stream;

    exports org.cabrank.tls;
}
