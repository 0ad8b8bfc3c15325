package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import java.net.InetSocketAddress;
import org.cabrank.kernel.Sockets;

/** A listening TCP socket, for {@link io.netty.bootstrap.ServerBootstrap#channel} with a {@link CabrankEventLoopGroup}. */
public final class CabrankServerSocketChannel extends AbstractListeningChannel implements ServerSocketChannel {

    public CabrankServerSocketChannel() {
        this(ChannelSocket.open(Sockets.SOCK_STREAM), false);
    }

    /**
     * Takes over a listening TCP socket, for example from systemd, or from the process that this process replaces. The channel owns the
     * descriptor, unless the constructor throws. If other processes listen with the socket, they continue when the channel is closed.
     * Example: {@code bootstrap.channelFactory(() -> new CabrankServerSocketChannel(descriptor)).register()}.
     */
    public CabrankServerSocketChannel(int descriptor) {
        this(ChannelSocket.adopt(descriptor), true);
    }

    private CabrankServerSocketChannel(ChannelSocket socket, boolean active) {
        super(socket, active, KernelOption.SERVER);
        socket.options().option(Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1); // accepted connections inherit it
    }

    /**
     * Returns a duplicate of the descriptor for another process. That process continues to listen when this channel is closed. The caller
     * passes the duplicate to the process (SCM_RIGHTS, unix(7)), and then closes it. Any thread may call this method.
     *
     * @throws io.netty.channel.ChannelException if the channel is closed, or the kernel has no free descriptor
     */
    public int share() {
        return socket.share();
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
