package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import java.net.InetSocketAddress;
import org.cabrank.kernel.Sockets;

/** A listening TCP socket, for {@link io.netty.bootstrap.ServerBootstrap#channel} with a {@link CabrankEventLoopGroup}. */
public final class CabrankServerSocketChannel extends AbstractListeningChannel implements ServerSocketChannel {

    /** Opens a socket that is not bound. */
    public CabrankServerSocketChannel() {
        super(ChannelSocket.open(Sockets.SOCK_STREAM), KernelOption.SERVER);
        socket.options().option(Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1); // for the connections
    }

    @Override
    Channel newChild(ChannelSocket accepted) {
        return new CabrankSocketChannel(this, accepted, true);
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return null;
    }
}
