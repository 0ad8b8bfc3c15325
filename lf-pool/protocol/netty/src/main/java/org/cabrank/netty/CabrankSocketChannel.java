package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import java.net.InetSocketAddress;
import org.cabrank.kernel.Sockets;

/** A TCP connection, for {@link io.netty.bootstrap.Bootstrap#channel} with a {@link CabrankEventLoopGroup}. */
public final class CabrankSocketChannel extends AbstractStreamChannel implements SocketChannel {
    private final TcpConfig config;

    public CabrankSocketChannel() {
        this(null, ChannelSocket.open(Sockets.SOCK_STREAM), false);
    }

    CabrankSocketChannel(Channel parent, ChannelSocket socket, boolean active) {
        super(parent, socket, active);
        config = new TcpConfig(this);
        if (parent == null) { // an accepted socket inherits the option
            config.setTcpNoDelay(true);
        }
    }

    @Override
    boolean allowsHalfClosure() {
        return config.isAllowHalfClosure();
    }

    @Override
    public SocketChannelConfig config() {
        return config;
    }

    @Override
    public ServerSocketChannel parent() {
        return (ServerSocketChannel) super.parent();
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }
}
