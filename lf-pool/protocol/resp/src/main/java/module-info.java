/** RESP, the protocol of Redis clients: commands and replies on stream connections. */
module org.cabrank.resp {
    requires transitive org.cabrank.stream;

    exports org.cabrank.resp;
}
