package org.cabrank.bench.contender;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.io.IOException;
import java.util.List;

/** Netty over its own epoll transport in C. */
final class NettyEpollContender implements Contender {

    private final NettyLoops loops;

    private NettyEpollContender(NettyLoops loops) {
        this.loops = loops;
    }

    /** A contender with one event loop. */
    static Contender single() {
        return new NettyEpollContender(NettyLoops.ONE);
    }

    /** A contender with the requested number of event loops. */
    static Contender loops() {
        return new NettyEpollContender(NettyLoops.SEVERAL);
    }

    @Override
    public String name() {
        return loops.name("netty-epoll");
    }

    @Override
    public boolean serves(Protocol protocol) {
        return true;
    }

    @Override
    public List<String> tuning() {
        return loops.tuning();
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyServer.jvmFlags(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        if (!Epoll.isAvailable()) {
            throw NettyTransport.unavailable("epoll", Epoll.unavailabilityCause());
        }
        return NettyServer.start(
                new NettyTransport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class),
                settings,
                loops.count(settings));
    }
}
