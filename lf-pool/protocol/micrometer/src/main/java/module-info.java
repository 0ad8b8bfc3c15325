/** Meters of reactors, rings and TLS for Micrometer. */
module org.cabrank.micrometer {
    requires transitive org.cabrank.stream;
    requires transitive micrometer.core;
    requires static transitive org.cabrank.tls;
    requires static org.cabrank.iouring;

    exports org.cabrank.micrometer;
}
