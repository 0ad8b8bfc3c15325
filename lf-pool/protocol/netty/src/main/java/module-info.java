/** A Netty transport: pipelines whose event loops are strands over the threads of a reactor. */
module org.cabrank.netty {
    requires transitive org.cabrank.stream;
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires transitive io.netty.transport;
    requires org.cabrank.kernel;
    requires org.cabrank.socket;
    requires org.jctools.core;

    exports org.cabrank.netty;
}
