package org.cabrank.bench.contender;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

final class NettyEpollContender implements Contender {

    private final NettyLoops loops;
    private final SslProvider provider;

    private NettyEpollContender(NettyLoops loops, SslProvider provider) {
        this.loops = loops;
        this.provider = provider;
    }

    static Contender single() {
        return new NettyEpollContender(NettyLoops.ONE, SslProvider.JDK);
    }

    static Contender openSsl() {
        return new NettyEpollContender(NettyLoops.ONE, SslProvider.OPENSSL_REFCNT);
    }

    static Contender loops() {
        return new NettyEpollContender(NettyLoops.SEVERAL, SslProvider.JDK);
    }

    @Override
    public String name() {
        return loops.name("netty-epoll") + (isOpenSsl() ? Contenders.OPENSSL : "");
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol.connects() ? protocol.overTls() || !isOpenSsl() : servesDatagrams();
    }

    /** With several event loops, the contender serves no datagrams, because only one loop can serve a socket. */
    private boolean servesDatagrams() {
        return loops == NettyLoops.ONE && !isOpenSsl();
    }

    private boolean isOpenSsl() {
        return provider != SslProvider.JDK;
    }

    @Override
    public List<String> tuning() {
        Stream<String> more = isOpenSsl()
                ? Stream.of(NettyOpenSsl.TUNING)
                : servesDatagrams()
                        ? Stream.of(
                                NettyDatagrams.TUNING, NettyDatagrams.SEGMENTS_TUNING, ContenderSockets.DATAGRAM_TUNING)
                        : Stream.empty();
        return Stream.concat(loops.tuning().stream(), more).toList();
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
        if (!settings.protocol().connects()) {
            return NettyDatagrams.start(
                    EpollIoHandler.newFactory(),
                    EpollDatagramChannel.class,
                    EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE,
                    settings.protocol() == Protocol.DATAGRAM_SEGMENTS ? EpollChannelOption.UDP_GRO : null,
                    settings.work());
        }
        return NettyServer.start(
                new NettyTransport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class),
                settings,
                loops.count(settings),
                provider);
    }
}
