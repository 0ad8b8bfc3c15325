package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.stream.Stream;
import org.cabrank.netty.CabrankDatagramChannel;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;
import org.cabrank.netty.CabrankSocketChannel;
import org.cabrank.stream.Backend;

/** A group and its classes of channels: all that a program is given. A test that fails over Netty's own is no test of this module. */
enum ProgramTransport {
    EPOLL("epoll"),
    IOURING("iouring"),
    NETTYS_EPOLL(null);

    private final String backend;

    ProgramTransport(String backend) {
        this.backend = backend;
    }

    /** Netty's own in a soak alone: what is tested is the other two. */
    static Stream<ProgramTransport> tested() {
        return Stream.of(values()).filter(each -> each.isOurs() || Long.getLong(ProgramContract.SOAK) != null);
    }

    /** Returns true if a handler may block without delaying the channels of others. */
    boolean isOurs() {
        return backend != null;
    }

    EventLoopGroup start(int threads) {
        if (isOurs()) {
            return CabrankEventLoopGroup.builder()
                    .name("program-" + backend)
                    .daemon(true)
                    .reactor(reactor ->
                            reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(threads))
                    .build();
        }
        assumeTrue(Epoll.isAvailable(), () -> "Netty's own transport: " + Epoll.unavailabilityCause());
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("program-netty", true), EpollIoHandler.newFactory());
    }

    Class<? extends ServerSocketChannel> listening() {
        return isOurs() ? CabrankServerSocketChannel.class : EpollServerSocketChannel.class;
    }

    Class<? extends SocketChannel> connection() {
        return isOurs() ? CabrankSocketChannel.class : EpollSocketChannel.class;
    }

    SocketChannel newConnection() {
        return isOurs() ? new CabrankSocketChannel() : new EpollSocketChannel();
    }

    Class<? extends DatagramChannel> datagrams() {
        return isOurs() ? CabrankDatagramChannel.class : EpollDatagramChannel.class;
    }
}
