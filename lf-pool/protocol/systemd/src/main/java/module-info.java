/** Services under systemd: passed sockets, notifications and the watchdog. */
module org.cabrank.systemd {
    requires transitive org.cabrank.stream;
    requires org.cabrank.kernel;

    exports org.cabrank.systemd;
}
