/** HTTP/1.1: servers and clients on stream connections. */
module org.cabrank.http {
    requires transitive org.cabrank.stream;

    exports org.cabrank.http;
    exports org.cabrank.http.client;
    exports org.cabrank.http.message;
    exports org.cabrank.http.wire;
}
