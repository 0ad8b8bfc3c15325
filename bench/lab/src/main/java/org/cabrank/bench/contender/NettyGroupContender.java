package org.cabrank.bench.contender;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Runs handlers outside the event loop, as {@link io.netty.channel.ChannelPipeline} advises for handlers that may block. */
final class NettyGroupContender implements Contender {

    /** Number of handler threads in the example of {@link io.netty.channel.ChannelPipeline}. */
    private static final int THREADS = 16;

    @Override
    public String name() {
        return "netty-epoll-group";
    }

    @Override
    public boolean serves(Protocol protocol) {
        return !protocol.overTls() && protocol.connects();
    }

    @Override
    public List<String> tuning() {
        return Stream.concat(
                        NettyLoops.ONE.tuning().stream(),
                        Stream.of("handlers, which may block, in a DefaultEventExecutorGroup of " + THREADS
                                + " threads (ChannelPipeline's documentation)"))
                .toList();
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyJvmFlags.of(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        if (!Epoll.isAvailable()) {
            throw NettyTransport.unavailable("epoll", Epoll.unavailabilityCause());
        }
        return NettyServer.start(
                new NettyTransport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class),
                settings,
                new DefaultEventExecutorGroup(settings.threadsElse(THREADS)));
    }
}
