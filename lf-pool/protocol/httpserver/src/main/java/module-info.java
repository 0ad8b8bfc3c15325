/** The JDK's {@code com.sun.net.httpserver} API on Cabrank's threads and backends. */
module org.cabrank.httpserver {
    requires transitive jdk.httpserver;
    requires transitive org.cabrank.http;
    requires transitive org.cabrank.stream;
    requires org.cabrank.kernel;
    requires org.cabrank.socket;
    requires org.cabrank.tls;

    exports org.cabrank.httpserver;

    provides com.sun.net.httpserver.spi.HttpServerProvider with
            org.cabrank.httpserver.CabrankHttpServerProvider;
}
