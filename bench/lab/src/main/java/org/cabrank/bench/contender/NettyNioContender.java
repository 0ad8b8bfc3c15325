package org.cabrank.bench.contender;

import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.List;

final class NettyNioContender implements Contender {

    @Override
    public String name() {
        return "netty-nio";
    }

    @Override
    public boolean serves(Protocol protocol) {
        return !protocol.overTls() && protocol.connects();
    }

    @Override
    public List<String> tuning() {
        return NettyLoops.ONE.tuning();
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyJvmFlags.of(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        return NettyServer.start(
                new NettyTransport(NioIoHandler.newFactory(), NioServerSocketChannel.class), settings, 1);
    }
}
