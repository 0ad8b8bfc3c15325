package org.cabrank.bench.contender;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.io.IOException;
import java.util.List;

/** Netty over its own epoll transport in C. */
final class NettyEpollContender implements Contender {

    @Override
    public String name() {
        return "netty-epoll";
    }

    @Override
    public List<String> tuning() {
        return NettyEchoServer.TUNING;
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyEchoServer.jvmFlags(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        if (!Epoll.isAvailable()) {
            throw NettyTransport.unavailable("epoll", Epoll.unavailabilityCause());
        }
        return NettyEchoServer.start(
                new NettyTransport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class), settings.work());
    }
}
