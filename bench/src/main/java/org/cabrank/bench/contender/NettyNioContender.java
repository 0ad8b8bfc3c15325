package org.cabrank.bench.contender;

import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.List;

/** Netty over the JDK's selector. */
final class NettyNioContender implements Contender {

    @Override
    public String name() {
        return "netty-nio";
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
        return NettyEchoServer.start(
                new NettyTransport(NioIoHandler.newFactory(), NioServerSocketChannel.class), settings.work());
    }
}
